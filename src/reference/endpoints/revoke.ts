import { type BodyParameters, identifyClient, readBodyParameters } from '../oauth/client-request.ts';
import { forbidStoring, isOAuthError, type OAuthError, oauthError, sendOAuthError } from '../oauth/oauth-error.ts';
import type { ReferenceState } from '../state.ts';
import { type Endpoint, onlyIn } from './endpoint.ts';

/**
 * `POST /oauth/revoke`, endpoint 3 of the specification (RFC 7009). An unknown token counts as revoked: 200. `token_type_hint`
 * is ignored, because there is only one type. Live servers have no such route.
 */
export const revokeEndpoint: Endpoint = (app, stateOf) => {
  app.post('/oauth/revoke', onlyIn('spec'), (request, reply) => {
    const parameters = readBodyParameters(request.body);
    const error = isOAuthError(parameters)
      ? parameters
      : revoke(parameters, request.headers.authorization, stateOf(request));
    return error === undefined ? forbidStoring(reply).send({}) : sendOAuthError(reply, error);
  });
};

function revoke(
  parameters: BodyParameters,
  authorization: string | undefined,
  { data, now }: ReferenceState,
): OAuthError | undefined {
  const client = identifyClient(authorization, parameters, data.apps);
  if (isOAuthError(client)) return client;
  if (parameters.token === undefined) return oauthError('invalid_request', 'token is missing.');
  const token = data.tokens.find(parameters.token, now());
  if (token === undefined) return undefined;
  if (token.appId !== client.app.id) return oauthError('unauthorized_client', 'The token belongs to another app.');
  if (!client.isAuthenticated && !token.isPublic) return oauthError('invalid_client', 'client_secret is missing.');
  data.tokens.revoke(token);
  return undefined;
}
