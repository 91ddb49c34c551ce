import type { FastifyReply, FastifyRequest } from 'fastify';
import { exposeHeaders } from '../cross-origin.ts';
import type { StoredToken } from '../data/tokens.ts';
import type { ReferenceState } from '../state.ts';
import type { Scope } from './scopes.ts';

/** The error answer to a request whose token is missing, invalid or insufficient (RFC 6750 section 3). */
export interface BearerFailure {
  readonly status: 400 | 401 | 403;
  /** Value of `WWW-Authenticate`. */
  readonly challenge: string;
  readonly message: string;
}

/** The token of a request, or the error answer. */
export type Bearer =
  | { readonly token: StoredToken; readonly failure?: never }
  | { readonly token?: never; readonly failure: BearerFailure };

const realm = 'Bearer realm="Loops"';
// b64token of RFC 6750 section 2.1.
const bearerCredentials = /^bearer +([\w.~+/-]+=*) *$/i;
const bearerScheme = /^bearer(?:\s|$)/i;

/**
 * Validates the token of the `Authorization` header, the only accepted place (specification section 5), and its scope if one is
 * required. Without Bearer credentials the challenge has no error code. A valid token counts as a use of its app. Live servers check
 * no scopes.
 */
export function authenticate(request: FastifyRequest, state: ReferenceState, scope?: Scope): Bearer {
  const { authorization } = request.headers;
  if (authorization === undefined || !bearerScheme.test(authorization)) {
    return { failure: { status: 401, challenge: realm, message: 'Unauthenticated.' } };
  }
  const tokenText = bearerCredentials.exec(authorization)?.[1];
  if (tokenText === undefined) return failure(400, 'invalid_request', 'The Authorization header is malformed.');
  const token = state.data.tokens.find(tokenText, state.now());
  if (token === undefined) {
    return failure(401, 'invalid_token', 'The access token is unknown, expired or revoked.', 'Unauthenticated.');
  }
  state.data.apps.touch(token.appId);
  if (scope !== undefined && state.profile === 'spec' && !token.scopes.includes(scope)) return insufficientScope(scope);
  return { token };
}

/** Answers with the challenge and `{"message"}`. */
export function sendBearerFailure(reply: FastifyReply, { status, challenge, message }: BearerFailure): FastifyReply {
  return exposeHeaders(reply)
    .code(status)
    .header('www-authenticate', challenge)
    .header('cache-control', 'no-store')
    .send({ message });
}

function insufficientScope(scope: Scope): Bearer {
  const description = `The access token does not have the scope ${scope}.`;
  const challenge = `${realm}, error="insufficient_scope", error_description="${description}", scope="${scope}"`;
  return { failure: { status: 403, challenge, message: description } };
}

function failure(status: 400 | 401, error: string, description: string, message = description): Bearer {
  return {
    failure: { status, challenge: `${realm}, error="${error}", error_description="${description}"`, message },
  };
}
