import { z } from 'zod';

/** The token record, specification section 2.2: what `POST /oauth/token` answers. */
export const TokenRecord = z
  .object({
    access_token: z.string().meta({ description: 'Bearer token.' }),
    token_type: z.literal('Bearer').meta({ description: 'Always `Bearer`.' }),
    scope: z.string().meta({ description: 'Space-separated granted scopes.' }),
    created_at: z.int().meta({ description: 'Creation time as a Unix timestamp in seconds.' }),
  })
  .meta({ id: 'TokenRecord' });
export type TokenRecord = z.infer<typeof TokenRecord>;
