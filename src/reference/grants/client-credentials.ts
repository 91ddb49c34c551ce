import { oauthError } from '../oauth/oauth-error.ts';
import { isWithin, parseScopes } from '../oauth/scopes.ts';
import type { GrantType } from './grant-type.ts';
import { issueToken } from './issue-token.ts';

/** `client_credentials` (RFC 6749 section 4.4): a token of the app itself, without a user. Only for apps that can keep a secret. */
export const clientCredentials: GrantType = ({ app, isAuthenticated }, { scope }, state) => {
  if (!isAuthenticated) return oauthError('invalid_client', 'client_secret is missing.');
  const scopes = parseScopes(scope);
  if (scopes === undefined || !isWithin(scopes, app.scopes)) {
    return oauthError('invalid_scope', 'The scope is unknown, malformed or beyond what the app is registered for.');
  }
  return issueToken(state, { appId: app.id, accountId: null, scopes, codeHash: null, isPublic: false });
};
