import type { StoredCode } from '../data/codes.ts';
import type { NewToken } from '../data/tokens.ts';
import type { LiveTokenRecord, TokenRecord } from '../resources.ts';
import type { ReferenceState } from '../state.ts';
import type { BodyParameters, Client } from './client-request.ts';
import { type OAuthError, oauthError } from './oauth-error.ts';
import { verifierMatches } from './pkce.ts';
import { readScopes } from './scopes.ts';

/** Issues a token for one `grant_type`. The client is known, and its secret, if it sent one, is correct. */
export type GrantType = (
  client: Client,
  parameters: BodyParameters,
  state: ReferenceState,
) => TokenRecord | LiveTokenRecord | OAuthError;

/**
 * `authorization_code` (RFC 6749 section 4.1.3, RFC 7636 section 4.6). Only a successful exchange redeems the code: a failed one
 * cannot help to guess 256 random bits, and must not let others use up the code of an app. Live servers ignore `scope` here.
 */
export const authorizationCode: GrantType = (client, parameters, state) => {
  const { app, isAuthenticated } = client;
  const { code: codeText, redirect_uri, code_verifier, scope } = parameters;
  if (!isAuthenticated && code_verifier === undefined) {
    return oauthError('invalid_client', 'client_secret is missing, and so is the code_verifier of PKCE.');
  }
  if (codeText === undefined) return oauthError('invalid_request', 'code is missing.');
  if (redirect_uri === undefined) return oauthError('invalid_request', 'redirect_uri is missing.');

  return state.data.transaction(() => {
    const now = Math.floor(state.now());
    const code = state.data.codes.find(codeText);
    // The code of another app is ignored, even if redeemed: only its own app can trigger a revocation.
    if (code === undefined || code.appId !== app.id) return invalidCode();
    if (code.challenge === null && !isAuthenticated) {
      return oauthError('invalid_grant', 'The code was requested without PKCE: the exchange needs client_secret.');
    }
    if (code.redeemedAt !== null) {
      state.data.tokens.revokeIssuedFor(code.hash);
      return invalidCode();
    }
    if (code.expiresAt <= now) return invalidCode();
    const bindingError = checkBinding(code, parameters);
    if (bindingError !== undefined) return bindingError;
    const requested = state.profile === 'live' ? undefined : scope;
    const { scopes, problem } = readScopes(requested ?? code.scopes.join(' '), state.profile, {
      scopes: code.scopes,
      limitedBy: 'what the user approved',
    });
    if (problem !== undefined) return oauthError('invalid_scope', problem);
    if (!state.data.codes.redeem(code, now)) return invalidCode();
    return issueToken(state, {
      appId: app.id,
      accountId: code.accountId,
      scopes,
      codeHash: code.hash,
      isPublic: !isAuthenticated,
    });
  });
};

/**
 * Checks that the redirect URI and the verifier fit the authorization request. Refuses a verifier without a challenge, because
 * it is the sign of a PKCE downgrade (RFC 9700 section 4.8).
 */
function checkBinding(
  { challenge, redirectUri }: StoredCode,
  { code_verifier, redirect_uri }: BodyParameters,
): OAuthError | undefined {
  if (redirect_uri !== redirectUri)
    return oauthError('invalid_grant', 'redirect_uri differs from the authorization request.');
  if (challenge === null) {
    if (code_verifier === undefined) return undefined;
    return oauthError('invalid_grant', 'code_verifier is given, but the code was requested without a challenge.');
  }
  if (code_verifier === undefined) return oauthError('invalid_grant', 'code_verifier is missing.');
  return verifierMatches(code_verifier, challenge) ? undefined : oauthError('invalid_grant', 'code_verifier is wrong.');
}

function invalidCode(): OAuthError {
  return oauthError('invalid_grant', 'The code is unknown, expired, already used, or belongs to another app.');
}

/** `client_credentials` (RFC 6749 section 4.4): a token of the app itself, without a user. Only for clients with a secret. */
export const clientCredentials: GrantType = ({ app, isAuthenticated }, { scope }, state) => {
  if (!isAuthenticated) return oauthError('invalid_client', 'client_secret is missing.');
  const { scopes, problem } = readScopes(scope, state.profile, {
    scopes: app.scopes,
    limitedBy: 'what the app is registered for',
  });
  if (problem !== undefined) return oauthError('invalid_scope', problem);
  return issueToken(state, { appId: app.id, accountId: null, scopes, codeHash: null, isPublic: false });
};

/** `refresh_token` (RFC 6749 section 6): replaces a token and its refresh token, so that each refresh token works once. */
export const refreshToken: GrantType = ({ app, isAuthenticated }, { refresh_token }, state) => {
  if (refresh_token === undefined) return oauthError('invalid_request', 'refresh_token is missing.');
  return state.data.transaction(() => {
    const token = state.data.tokens.findByRefreshToken(refresh_token);
    if (token === undefined || token.appId !== app.id) {
      const description = 'The refresh token is unknown, already used, revoked, or belongs to another app.';
      return oauthError('invalid_grant', description);
    }
    if (!isAuthenticated && !token.isPublic) return oauthError('invalid_client', 'client_secret is missing.');
    state.data.tokens.revoke(token);
    return issueToken(state, token);
  });
};

/** Live servers do not allow the grant `client_credentials` to registered apps. */
export const notForApps: GrantType = () =>
  oauthError('unauthorized_client', 'The app may not use this grant_type; use authorization_code or refresh_token.');

/** The lifetime of a token of a live server if none is configured, in seconds: a year. */
const liveLifetime = 31_536_000;

/** Issues a token with the lifetime configured in the state and returns its record. */
export function issueToken(
  state: ReferenceState,
  { appId, accountId, scopes, codeHash, isPublic }: Omit<NewToken, 'createdAt' | 'expiresAt'>,
): TokenRecord | LiveTokenRecord {
  const now = Math.floor(state.now());
  const expiresAtAfter = (seconds: number) => Math.round(now + seconds * 1000);
  const token = { appId, accountId, scopes, codeHash, isPublic, createdAt: now };
  if (state.profile === 'live') {
    const lifetime = state.lifetimes.token ?? liveLifetime;
    const refresh = state.data.createSecret();
    const access = state.data.tokens.issue({ ...token, expiresAt: expiresAtAfter(lifetime) }, refresh);
    return { token_type: 'Bearer', expires_in: lifetime, access_token: access, refresh_token: refresh };
  }
  const { token: lifetime } = state.lifetimes;
  const expiresAt = lifetime === null ? null : expiresAtAfter(lifetime);
  const accessToken = state.data.tokens.issue({ ...token, expiresAt });
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    scope: scopes.join(' '),
    created_at: Math.floor(now / 1000),
  };
}
