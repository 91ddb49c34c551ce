import { z } from 'zod';

/** What `GET /.well-known/oauth-authorization-server` answers (RFC 8414); more keys may stand beside these. */
export const AuthorizationServerMetadata = z
  .looseObject({
    issuer: z.string().meta({ description: 'Base URL of the server.' }),
    authorization_endpoint: z.string().meta({ description: 'Where to send the browser of a user.' }),
    token_endpoint: z.string().meta({ description: 'Where a code is exchanged for a token.' }),
    revocation_endpoint: z.string().meta({ description: 'Where a token is revoked.' }),
    scopes_supported: z.array(z.string()).meta({ description: '`read`, `write` and `follow`.' }),
    response_types_supported: z.array(z.string()).meta({ description: '`code`.' }),
    grant_types_supported: z.array(z.string()).meta({ description: '`authorization_code` and `client_credentials`.' }),
    code_challenge_methods_supported: z.array(z.string()).meta({ description: '`S256`.' }),
  })
  .meta({ id: 'AuthorizationServerMetadata' });
