import { z } from 'zod';

/** The query of `GET /oauth/authorize`, specification section 4.1, with the challenge of PKCE (RFC 7636 section 4.3). */
export const AuthorizeParameters = z.object({
  response_type: z.literal('code').meta({ description: 'Must be `code`.' }),
  client_id: z.string().meta({ description: 'The `client_id` of the registered app.' }),
  redirect_uri: z.string().meta({ description: 'Must be exactly a redirect URI registered with the app.' }),
  scope: z.string().optional().meta({
    description: 'Space-separated scopes, a subset of those of the app.',
    default: 'read',
  }),
  state: z.string().optional().meta({
    description: 'Opaque value echoed back in the redirect; the client verifies that it matches what was sent.',
  }),
  code_challenge: z.string().optional().meta({
    description: 'SHA-256 of the `code_verifier` in base64url (RFC 7636).',
    pattern: '^[A-Za-z0-9_-]{43}$',
  }),
  code_challenge_method: z.literal('S256').optional().meta({ description: 'Required with `code_challenge`.' }),
});
