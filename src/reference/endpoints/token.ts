import { identifyClient, readBodyParameters } from '../oauth/client-request.ts';
import { authorizationCode, clientCredentials, type GrantType, notForApps, refreshToken } from '../oauth/grants.ts';
import { forbidStoring, isOAuthError, oauthError, sendOAuthError } from '../oauth/oauth-error.ts';
import type { Profile, ReferenceState } from '../state.ts';
import type { Endpoint } from './endpoint.ts';

/** The supported values of `grant_type`. */
export const grantTypes: Readonly<Record<Profile, Readonly<Record<string, GrantType>>>> = {
  spec: { authorization_code: authorizationCode, client_credentials: clientCredentials },
  live: { authorization_code: authorizationCode, refresh_token: refreshToken, client_credentials: notForApps },
};

/** `POST /oauth/token`, endpoint 2 of the specification: JSON or a form. Query parameters are ignored. */
export const tokenEndpoint: Endpoint = (app, stateOf) => {
  app.post('/oauth/token', (request, reply) => {
    const outcome = grantToken(request.body, request.headers.authorization, stateOf(request));
    return isOAuthError(outcome) ? sendOAuthError(reply, outcome) : forbidStoring(reply).send(outcome);
  });
};

function grantToken(body: unknown, authorization: string | undefined, state: ReferenceState): ReturnType<GrantType> {
  const parameters = readBodyParameters(body);
  if (isOAuthError(parameters)) return parameters;
  const { grant_type } = parameters;
  if (grant_type === undefined) return oauthError('invalid_request', 'grant_type is missing.');
  const grants = grantTypes[state.profile];
  const grant = Object.hasOwn(grants, grant_type) ? grants[grant_type] : undefined;
  if (grant === undefined) {
    return oauthError('unsupported_grant_type', `grant_type must be ${Object.keys(grants).join(' or ')}.`);
  }
  const client = identifyClient(authorization, parameters, state.data.apps);
  if (isOAuthError(client)) return client;
  const outcome = grant(client, parameters, state);
  if (!isOAuthError(outcome)) state.data.apps.touch(client.app.id);
  return outcome;
}
