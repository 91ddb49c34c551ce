import { type OAuthError, oauthError } from './oauth-error.ts';

const names = [
  'client_id',
  'client_secret',
  'code',
  'code_verifier',
  'grant_type',
  'redirect_uri',
  'scope',
  'token',
  'token_type_hint',
] as const;

/** What a token or revocation request says; what was sent without a value is left out (RFC 6749 section 3.2). */
export type BodyParameters = { readonly [Name in (typeof names)[number]]?: string };

/** Reads a body, JSON or form. A parameter that is no string is an error, and so is one given twice, which a form makes a list. */
export function readBodyParameters(body: unknown): BodyParameters | OAuthError {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return oauthError('invalid_request', 'The body must be a JSON object or a form.');
  }
  const parameters: { -readonly [Name in keyof BodyParameters]: string } = {};
  for (const name of names) {
    const value: unknown = Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined;
    if (value === undefined || value === '') continue;
    if (typeof value !== 'string') return oauthError('invalid_request', `${name} must be a string, given once.`);
    parameters[name] = value;
  }
  return parameters;
}
