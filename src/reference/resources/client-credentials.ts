import { z } from 'zod';

/** How a client names itself in a body; both may stand in an `Authorization: Basic` header instead (RFC 6749 section 2.3.1). */
export const ClientCredentials = z.object({
  client_id: z.string().optional().meta({ description: 'From app registration. Required unless sent by HTTP Basic.' }),
  client_secret: z.string().optional().meta({
    description: 'From app registration. Required unless sent by HTTP Basic, or the code was asked for with PKCE.',
  }),
});
