import type { KeptCode } from '../data/codes.ts';
import type { NewToken } from '../data/tokens.ts';
import type { BodyParameters, Client } from '../oauth/client-request.ts';
import { type OAuthError, oauthError } from '../oauth/oauth-error.ts';
import { verifierMatches } from '../oauth/pkce.ts';
import { isWithin, parseScopes } from '../oauth/scopes.ts';
import type { TokenRecord } from '../resources.ts';
import type { ReferenceState } from '../state.ts';

/** Gives a token for one `grant_type`, to a client that is known and whose secret, if it showed one, was right. */
export type GrantType = (client: Client, parameters: BodyParameters, state: ReferenceState) => TokenRecord | OAuthError;

/**
 * `authorization_code` (RFC 6749 section 4.1.3, RFC 7636 section 4.6). Only an exchange that succeeds uses the code up: a wrong one
 * tells nothing of a code of 256 random bits, and must not let anybody spoil it for the app it was given to.
 */
export const authorizationCode: GrantType = (client, parameters, state) => {
  const { app, isAuthenticated } = client;
  const { code: text, redirect_uri, code_verifier, scope } = parameters;
  if (!isAuthenticated && code_verifier === undefined) {
    return oauthError('invalid_client', 'client_secret is missing, and so is the code_verifier of PKCE.');
  }
  if (text === undefined) return oauthError('invalid_request', 'code is missing.');
  if (redirect_uri === undefined) return oauthError('invalid_request', 'redirect_uri is missing.');

  return state.data.transaction(() => {
    const now = Math.floor(state.now());
    const code = state.data.codes.find(text);
    // A code of another app is left alone, redeemed or not: only its own app can make this server revoke anything.
    if (code === undefined || code.appId !== app.id) return invalid();
    if (code.challenge === null && !isAuthenticated) {
      return oauthError('invalid_grant', 'The code was asked for without PKCE: the exchange needs client_secret.');
    }
    if (code.redeemedAt !== null) {
      state.data.tokens.revokeGivenFor(code.hash);
      return invalid();
    }
    if (code.expiresAt <= now) return invalid();
    const fault = bindingFault(code, parameters);
    if (fault !== undefined) return fault;
    const scopes = scope === undefined ? code.scopes : parseScopes(scope);
    if (scopes === undefined || !isWithin(scopes, code.scopes)) {
      return oauthError('invalid_scope', 'The scope is unknown, malformed or beyond what the user approved.');
    }
    if (!state.data.codes.redeem(code, now)) return invalid();
    return issueToken(state, {
      appId: app.id,
      accountId: code.accountId,
      scopes,
      codeHash: code.hash,
      isPublic: !isAuthenticated,
    });
  });
};

/** A verifier without a challenge is refused too: somebody took the challenge out of the request (RFC 9700 section 4.8). */
function bindingFault(
  { challenge, redirectUri }: KeptCode,
  { code_verifier, redirect_uri }: BodyParameters,
): OAuthError | undefined {
  if (redirect_uri !== redirectUri)
    return oauthError('invalid_grant', 'redirect_uri is not that of the authorization.');
  if (challenge === null) {
    if (code_verifier === undefined) return undefined;
    return oauthError('invalid_grant', 'code_verifier is given, but the code was asked for without a challenge.');
  }
  if (code_verifier === undefined) return oauthError('invalid_grant', 'code_verifier is missing.');
  return verifierMatches(code_verifier, challenge) ? undefined : oauthError('invalid_grant', 'code_verifier is wrong.');
}

function invalid(): OAuthError {
  return oauthError('invalid_grant', 'The code is unknown, expired, used up or of another app.');
}

/** `client_credentials` (RFC 6749 section 4.4): a token of the app itself, without a user. Only for apps that can keep a secret. */
export const clientCredentials: GrantType = ({ app, isAuthenticated }, { scope }, state) => {
  if (!isAuthenticated) return oauthError('invalid_client', 'client_secret is missing.');
  const scopes = parseScopes(scope);
  if (scopes === undefined || !isWithin(scopes, app.scopes)) {
    return oauthError('invalid_scope', 'The scope is unknown, malformed or beyond what the app is registered for.');
  }
  return issueToken(state, { appId: app.id, accountId: null, scopes, codeHash: null, isPublic: false });
};

/** Makes a token that starts now and holds as long as the state says, and its record. */
function issueToken(state: ReferenceState, token: Omit<NewToken, 'createdAt' | 'expiresAt'>): TokenRecord {
  const now = Math.floor(state.now());
  const { token: lifetime } = state.lifetimes;
  const expiresAt = lifetime === null ? null : Math.round(now + lifetime * 1000);
  const text = state.data.tokens.issue({ ...token, createdAt: now, expiresAt });
  return {
    access_token: text,
    token_type: 'Bearer',
    scope: token.scopes.join(' '),
    created_at: Math.floor(now / 1000),
  };
}
