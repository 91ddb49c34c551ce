import { z } from 'zod';
import { ClientCredentials } from './client-credentials.ts';

/** The body of `POST /oauth/revoke`, which the specification does not show: that of RFC 7009 section 2.1. */
export const RevocationRequest = ClientCredentials.extend({
  token: z.string().meta({ description: 'The token to revoke.' }),
  token_type_hint: z.string().optional().meta({ description: 'What sort of token it is; not needed.' }),
}).meta({ id: 'RevocationRequest' });
