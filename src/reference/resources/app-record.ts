import { z } from 'zod';

/** The app registration record, specification section 2.1: what `POST /api/v1/apps` answers. */
export const AppRecord = z
  .object({
    id: z.string().meta({ description: 'Identifier of the registered app.' }),
    name: z.string().meta({ description: 'Display name given at registration.' }),
    website: z.string().meta({ description: 'Homepage URL given at registration; empty when none was.' }),
    redirect_uri: z
      .string()
      .meta({ description: 'Redirect URI given at registration; several with a line break between them.' }),
    client_id: z.string().meta({ description: 'OAuth client identifier.' }),
    client_secret: z.string().meta({ description: 'OAuth client secret. Must be kept server-side.' }),
  })
  .meta({ id: 'AppRecord' });
export type AppRecord = z.infer<typeof AppRecord>;
