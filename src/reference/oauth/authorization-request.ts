import type { App } from '../data/apps.ts';
import { outOfBand } from './app-registration.ts';
import { type OAuthError, oauthError } from './oauth-error.ts';
import { challengeMethod, isChallenge } from './pkce.ts';
import { isWithin, parseScopes } from './scopes.ts';

/** One parameter of a query: as a form decodes it, and its value as it came. */
interface QueryParameter {
  readonly name: string;
  readonly value: string;
  /** The value as it stood in the request, with what may not stand in a URL percent-encoded. */
  readonly raw: string;
}

// Whatever is not in the query production of RFC 3986, a percent sign without its two digits among it.
const notInQuery = /%(?![\da-f]{2})|[^\w\-.~!$&'()*+,;=:@/?%]/gi;

/**
 * The query of a request target as it came, byte by byte; what may not stand in a URL is percent-encoded, which leaves its value as it
 * is. Node gives the bytes of a request target as the characters U+0000 to U+00FF.
 */
export function rawQueryOf(target: string): string {
  const mark = target.indexOf('?');
  return mark === -1 ? '' : target.slice(mark + 1).replace(notInQuery, percentEncode);
}

/** The parameters of a query of `rawQueryOf`, in their order, decoded as forms are (a `+` is a space). */
export function parseRawQuery(query: string): QueryParameter[] {
  return query.split('&').flatMap((piece) => {
    const [pair] = new URLSearchParams(piece);
    if (pair === undefined) return [];
    const mark = piece.indexOf('=');
    return [{ name: pair[0], value: pair[1], raw: mark === -1 ? '' : piece.slice(mark + 1) }];
  });
}

function percentEncode(text: string): string {
  return Array.from(Buffer.from(text, 'latin1'), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(
    '',
  );
}

/** What is known once it is certain where the answer may go. */
export interface Answerable {
  readonly app: App;
  /** One of those registered. */
  readonly redirectUri: string;
  /** As it came; undefined: not sent. */
  readonly rawState: string | undefined;
}

/** A request that the user may be asked about. */
export interface AuthorizationRequest extends Answerable {
  readonly scopes: readonly string[];
  /** The S256 challenge of PKCE, or null. */
  readonly challenge: string | null;
}

/**
 * `refused`: for the user alone, because the client or its redirect URI is in doubt, and nobody may be redirected (RFC 6749 section
 * 4.1.2.1), or because the client is out of band; then `code` is that of the error. `faulty`: for the client, at its redirect URI.
 */
export type AuthorizationOutcome =
  | { readonly kind: 'refused'; readonly reason: string; readonly code?: string }
  | FaultyAuthorization
  | { readonly kind: 'valid'; readonly request: AuthorizationRequest };

export interface FaultyAuthorization {
  readonly kind: 'faulty';
  readonly request: Answerable;
  readonly error: OAuthError;
}

const known = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
];

/** Judges an authorization request (specification section 4.1) by its query as it came. */
export function judgeAuthorization(
  rawQuery: string,
  findApp: (clientId: string) => App | undefined,
): AuthorizationOutcome {
  const parameters = parseRawQuery(rawQuery);
  const all = (name: string) => parameters.filter((parameter) => parameter.name === name);

  const clientIds = all('client_id');
  if (clientIds.length !== 1) return refused(clientIds, 'client_id');
  const app = findApp(clientIds[0]?.value ?? '');
  if (app === undefined) return { kind: 'refused', reason: 'The app that sent you here is not registered.' };
  const redirectUris = all('redirect_uri');
  if (redirectUris.length !== 1) return refused(redirectUris, 'redirect_uri');
  const redirectUri = app.redirectUris.find((uri) => uri === redirectUris[0]?.value);
  if (redirectUri === undefined) {
    return {
      kind: 'refused',
      reason: 'The address to return to (redirect_uri) is not one that the app has registered.',
    };
  }

  const states = all('state');
  const request: Answerable = { app, redirectUri, rawState: states.length === 1 ? states[0]?.raw : undefined };
  const twice = known.find((name) => all(name).length > 1);
  if (twice !== undefined) {
    return faulty(request, oauthError('invalid_request', `${twice} is given more than once.`));
  }
  const value = (name: string) => all(name)[0]?.value || undefined;
  const error = responseTypeFault(value('response_type')) ?? challengeFault(value);
  if (error !== undefined) return faulty(request, error);
  const scopes = parseScopes(value('scope'));
  if (scopes === undefined || !isWithin(scopes, app.scopes)) {
    const description = 'The scope is unknown, malformed or beyond what the app is registered for.';
    return faulty(request, oauthError('invalid_scope', description));
  }
  return { kind: 'valid', request: { ...request, scopes, challenge: value('code_challenge') ?? null } };
}

function refused(given: readonly QueryParameter[], name: string): AuthorizationOutcome {
  return { kind: 'refused', reason: `The request ${given.length === 0 ? 'has no' : 'has more than one'} ${name}.` };
}

function faulty(request: Answerable, error: OAuthError): AuthorizationOutcome {
  if (request.redirectUri !== outOfBand) return { kind: 'faulty', request, error };
  return { kind: 'refused', reason: error.description, code: error.error };
}

function responseTypeFault(type: string | undefined): OAuthError | undefined {
  if (type === undefined) return oauthError('invalid_request', 'response_type is missing.');
  return type === 'code' ? undefined : oauthError('unsupported_response_type', 'response_type must be code.');
}

/** Without a method RFC 7636 means `plain`, which is refused like the name itself. */
function challengeFault(value: (name: string) => string | undefined): OAuthError | undefined {
  const challenge = value('code_challenge');
  const method = value('code_challenge_method');
  if (challenge === undefined && method === undefined) return undefined;
  if (challenge === undefined) return oauthError('invalid_request', 'code_challenge is missing.');
  if (method !== challengeMethod) return oauthError('invalid_request', 'code_challenge_method must be S256.');
  return isChallenge(challenge) ? undefined : oauthError('invalid_request', 'code_challenge is not one of S256.');
}

/**
 * Where the browser is sent: the registered URI, its own query kept (RFC 6749 section 3.1.2), with the parameters of the answer
 * and `state` as the client wrote it. `rawState` is one of `rawQueryOf`: it holds nothing that could end the URL or the header.
 */
export function redirectTarget(
  redirectUri: string,
  parameters: Readonly<Record<string, string>>,
  rawState: string | undefined,
): string {
  const pairs = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  if (rawState !== undefined) pairs.push(`state=${rawState}`);
  const mark = redirectUri.indexOf('?');
  const isOpen = mark === redirectUri.length - 1 || redirectUri.endsWith('&');
  const separator = mark === -1 ? '?' : isOpen ? '' : '&';
  return redirectUri + separator + pairs.join('&');
}
