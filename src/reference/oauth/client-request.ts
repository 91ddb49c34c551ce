import type { App, Apps } from '../data/apps.ts';
import { isOAuthError, type OAuthError, oauthError } from './oauth-error.ts';

const parameterNames = [
  'client_id',
  'client_secret',
  'code',
  'code_verifier',
  'grant_type',
  'redirect_uri',
  'refresh_token',
  'scope',
  'token',
  'token_type_hint',
] as const;

/** The parameters of a token or revocation request, without those that are empty (RFC 6749 section 3.2) or null. */
export type BodyParameters = { readonly [Name in (typeof parameterNames)[number]]?: string };

/** Reads a body, JSON or form. A parameter that is repeated or not a string is an error. */
export function readBodyParameters(body: unknown): BodyParameters | OAuthError {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return oauthError('invalid_request', 'The body must be a JSON object or a form.');
  }
  const parameters: { -readonly [Name in keyof BodyParameters]: string } = {};
  for (const name of parameterNames) {
    const value: unknown = Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined;
    if (value === undefined || value === null || value === '') continue;
    if (typeof value !== 'string') return oauthError('invalid_request', `${name} must be a string, given once.`);
    parameters[name] = value;
  }
  return parameters;
}

/** The client that sent a request. */
export interface Client {
  readonly app: App;
  /** Whether it sent its secret; otherwise anyone who knows the `client_id` may have sent the request. */
  readonly isAuthenticated: boolean;
}

const invalidClient = oauthError('invalid_client', 'The client is unknown or its secret is wrong.');

/**
 * Finds the client named by HTTP Basic or in the body (RFC 6749 section 2.3.1) and checks its secret, if one was sent. Other
 * schemes in `Authorization` are ignored, because some clients send their Bearer token with every request.
 */
export function identifyClient(
  authorization: string | undefined,
  parameters: BodyParameters,
  apps: Apps,
): Client | OAuthError {
  const credentials = readCredentials(authorization, parameters);
  if (isOAuthError(credentials)) return credentials;
  const { clientId, secret } = credentials;
  const app = apps.find(clientId);
  if (secret !== undefined && !apps.secretMatches(app, secret)) return invalidClient;
  return app === undefined ? invalidClient : { app, isAuthenticated: secret !== undefined };
}

function readCredentials(
  authorization: string | undefined,
  { client_id, client_secret }: BodyParameters,
): { clientId: string; secret: string | undefined } | OAuthError {
  const basic = /^basic(?:\s+(.*))?$/i.exec(authorization ?? '');
  if (basic === null) {
    if (client_id === undefined) return oauthError('invalid_client', 'The request names no client.');
    return { clientId: client_id, secret: client_secret };
  }
  if (client_secret !== undefined) {
    return oauthError('invalid_request', 'The client authenticates in two ways at once.');
  }
  const pair = decodeBasic(basic[1] ?? '');
  if (pair === undefined) return invalidClient;
  if (client_id !== undefined && client_id !== pair.clientId) {
    return oauthError('invalid_request', 'The header and the body name different clients.');
  }
  return pair;
}

function decodeBasic(text: string): { clientId: string; secret: string } | undefined {
  // Buffer.from would skip characters that are not base64.
  if (!/^[\w+/-]+=*$/.test(text)) return undefined;
  const decoded = Buffer.from(text, 'base64').toString();
  const colon = decoded.indexOf(':');
  if (colon === -1) return undefined;
  try {
    return { clientId: formDecode(decoded.slice(0, colon)), secret: formDecode(decoded.slice(colon + 1)) };
  } catch {
    return undefined;
  }
}

/** @throws {URIError} when the text is not form-encoded. */
function formDecode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}
