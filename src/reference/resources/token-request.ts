import { z } from 'zod';
import { ClientCredentials } from './client-credentials.ts';

const scope = z.string().optional().meta({ description: 'Space-separated scopes.' });

/** The token request body, specification section 4.2, with the verifier of PKCE (RFC 7636 section 4.5). */
export const TokenRequest = z
  .discriminatedUnion('grant_type', [
    ClientCredentials.extend({
      grant_type: z.literal('authorization_code').meta({ description: 'For a user, who approved.' }),
      redirect_uri: z.string().meta({ description: 'Same as used in the authorize step.' }),
      code: z.string().meta({ description: 'Authorization code received at the redirect URI.' }),
      code_verifier: z.string().optional().meta({
        description:
          'What the `code_challenge` of the authorize step was made of. Required exactly when there was one.',
      }),
      scope,
    }).meta({ id: 'AuthorizationCodeRequest' }),
    ClientCredentials.extend({
      grant_type: z.literal('client_credentials').meta({ description: 'For the app itself, without a user.' }),
      scope,
    }).meta({ id: 'ClientCredentialsRequest' }),
  ])
  .meta({ id: 'TokenRequest' });
