import type { App } from '../data/apps.ts';
import type { Profile } from '../state.ts';
import { outOfBand } from './app-registration.ts';
import { type OAuthError, oauthError } from './oauth-error.ts';
import { challengeMethod, isChallenge } from './pkce.ts';
import { readScopes, type Scope } from './scopes.ts';

/** A query parameter, decoded like a form. */
interface QueryParameter {
  readonly name: string;
  readonly value: string;
  /** The value as it was sent, with characters that a URL does not allow percent-encoded. */
  readonly raw: string;
}

// Characters that RFC 3986 does not allow in a query, including a percent sign without two hex digits.
const notInQuery = /%(?![\da-f]{2})|[^\w\-.~!$&'()*+,;=:@/?%]/gi;

/**
 * The query of a request target as it was sent, with characters that a URL does not allow percent-encoded. Node represents the
 * bytes of a request target as the characters U+0000 to U+00FF.
 */
export function rawQueryOf(target: string): string {
  const questionMark = target.indexOf('?');
  return questionMark === -1 ? '' : target.slice(questionMark + 1).replace(notInQuery, percentEncode);
}

/** The parameters of a query from `rawQueryOf`, in order, decoded like a form (`+` is a space). */
export function parseRawQuery(query: string): QueryParameter[] {
  return query.split('&').flatMap((piece) => {
    const [pair] = new URLSearchParams(piece);
    if (pair === undefined) return [];
    const equalsSign = piece.indexOf('=');
    return [{ name: pair[0], value: pair[1], raw: equalsSign === -1 ? '' : piece.slice(equalsSign + 1) }];
  });
}

function percentEncode(text: string): string {
  return Array.from(Buffer.from(text, 'latin1'), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(
    '',
  );
}

/** A request whose client and redirect URI are valid, so that the answer may be redirected. */
export interface RedirectableRequest {
  readonly app: App;
  /** A registered redirect URI of the app; on a loopback address, with the port of the request. */
  readonly redirectUri: string;
  /** The `state` parameter as it was sent; undefined: not sent. */
  readonly rawState: string | undefined;
}

/** A valid request, ready for the consent of the user. */
export interface AuthorizationRequest extends RedirectableRequest {
  readonly scopes: readonly Scope[];
  /** The S256 challenge of PKCE, or null. */
  readonly challenge: string | null;
}

/**
 * `refused`: the error is shown to the user only, because the client or its redirect URI is invalid (RFC 6749 section 4.1.2.1),
 * or because a faulty request comes from an out-of-band client, in which case `code` is the OAuth error code. `faulty`: the error
 * is reported to the client at its redirect URI.
 */
export type AuthorizationOutcome =
  | { readonly kind: 'refused'; readonly reason: string; readonly code?: string }
  | FaultyAuthorization
  | { readonly kind: 'valid'; readonly request: AuthorizationRequest };

export interface FaultyAuthorization {
  readonly kind: 'faulty';
  readonly request: RedirectableRequest;
  readonly error: OAuthError;
}

const parameterNames = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
];

/**
 * Validates an authorization request (specification section 4.1).
 * @param rawQuery from `rawQueryOf`.
 */
export function validateAuthorization(
  rawQuery: string,
  profile: Profile,
  findApp: (clientId: string) => App | undefined,
): AuthorizationOutcome {
  const parameters = parseRawQuery(rawQuery);
  const allNamed = (name: string) => parameters.filter((parameter) => parameter.name === name);

  const clientIds = allNamed('client_id');
  if (clientIds.length !== 1) return refused(clientIds, 'client_id');
  const app = findApp(clientIds[0]?.value ?? '');
  if (app === undefined) return { kind: 'refused', reason: 'The app that sent you here is not registered.' };
  const redirectUris = allNamed('redirect_uri');
  if (redirectUris.length !== 1) return refused(redirectUris, 'redirect_uri');
  const redirectUri = redirectUris[0]?.value ?? '';
  if (!app.redirectUris.some((registered) => redirectUriMatches(registered, redirectUri))) {
    return {
      kind: 'refused',
      reason: 'The address to return to (redirect_uri) is not one that the app has registered.',
    };
  }

  const states = allNamed('state');
  const request: RedirectableRequest = { app, redirectUri, rawState: states.length === 1 ? states[0]?.raw : undefined };
  const repeated = parameterNames.find((name) => allNamed(name).length > 1);
  if (repeated !== undefined) {
    return faulty(request, oauthError('invalid_request', `${repeated} is given more than once.`));
  }
  // An empty parameter counts as missing (RFC 6749 section 3.1).
  const textOf = (name: string) => allNamed(name)[0]?.value || undefined;
  const error = checkResponseType(textOf('response_type')) ?? checkChallenge(textOf);
  if (error !== undefined) return faulty(request, error);
  const { scopes, problem } = readScopes(textOf('scope'), profile, {
    scopes: app.scopes,
    limitedBy: 'what the app is registered for',
  });
  if (problem !== undefined) return faulty(request, oauthError('invalid_scope', problem));
  return { kind: 'valid', request: { ...request, scopes, challenge: textOf('code_challenge') ?? null } };
}

// The beginning of an http URI on a loopback address. Not `localhost`, which may resolve to another address (RFC 8252 section 8.3).
const loopbackOrigin = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(?=[/?]|$)/;

/** Compares as text (RFC 9700 section 2.1), except that any port matches on a loopback address (RFC 8252 section 7.3). */
function redirectUriMatches(registered: string, requested: string): boolean {
  if (registered === requested) return true;
  const withoutPort = (uri: string) => uri.replace(loopbackOrigin, '$1');
  return (
    loopbackOrigin.test(requested) && URL.canParse(requested) && withoutPort(registered) === withoutPort(requested)
  );
}

function refused(found: readonly QueryParameter[], name: string): AuthorizationOutcome {
  return { kind: 'refused', reason: `The request ${found.length === 0 ? 'has no' : 'has more than one'} ${name}.` };
}

function faulty(request: RedirectableRequest, error: OAuthError): AuthorizationOutcome {
  if (request.redirectUri !== outOfBand) return { kind: 'faulty', request, error };
  return { kind: 'refused', reason: error.description, code: error.error };
}

function checkResponseType(type: string | undefined): OAuthError | undefined {
  if (type === undefined) return oauthError('invalid_request', 'response_type is missing.');
  return type === 'code' ? undefined : oauthError('unsupported_response_type', 'response_type must be code.');
}

/** A missing method means `plain` (RFC 7636), which is refused. */
function checkChallenge(textOf: (name: string) => string | undefined): OAuthError | undefined {
  const challenge = textOf('code_challenge');
  const method = textOf('code_challenge_method');
  if (challenge === undefined && method === undefined) return undefined;
  if (challenge === undefined) return oauthError('invalid_request', 'code_challenge is missing.');
  if (method !== challengeMethod) return oauthError('invalid_request', 'code_challenge_method must be S256.');
  return isChallenge(challenge) ? undefined : oauthError('invalid_request', 'code_challenge is not an S256 challenge.');
}

/**
 * The redirect target: the registered URI with its own query (RFC 6749 section 3.1.2), the answer parameters and the unchanged
 * `state`. `rawState` comes from `rawQueryOf`, so it contains no character that could break out of the URL or the header.
 */
export function redirectTarget(
  redirectUri: string,
  parameters: Readonly<Record<string, string>>,
  rawState: string | undefined,
): string {
  const pairs = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  if (rawState !== undefined) pairs.push(`state=${rawState}`);
  const questionMark = redirectUri.indexOf('?');
  const endsWithSeparator = questionMark === redirectUri.length - 1 || redirectUri.endsWith('&');
  const separator = questionMark === -1 ? '?' : endsWithSeparator ? '' : '&';
  return redirectUri + separator + pairs.join('&');
}
