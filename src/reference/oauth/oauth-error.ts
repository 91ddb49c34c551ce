import type { FastifyReply } from 'fastify';
import { exposeHeaders } from '../cross-origin.ts';

/** An error of RFC 6749 sections 4.1.2.1 and 5.2. The description never quotes the request, except for an unknown scope. */
export interface OAuthError {
  readonly error:
    | 'access_denied'
    | 'invalid_client'
    | 'invalid_grant'
    | 'invalid_request'
    | 'invalid_scope'
    | 'unauthorized_client'
    | 'unsupported_grant_type'
    | 'unsupported_response_type';
  readonly description: string;
}

export function oauthError(error: OAuthError['error'], description: string): OAuthError {
  return { error, description };
}

export function isOAuthError<T extends object>(outcome: T | OAuthError): outcome is OAuthError {
  return 'error' in outcome && 'description' in outcome;
}

/** Forbids caches from storing an answer with credentials (RFC 6749 section 5.1). */
export function forbidStoring(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'no-store').header('pragma', 'no-cache');
}

/** Sends an error (RFC 6749 section 5.2): 401 with a challenge for `invalid_client`, else 400, unless `status` is given. */
export function sendOAuthError(reply: FastifyReply, { error, description }: OAuthError, status?: number): FastifyReply {
  if (error === 'invalid_client')
    exposeHeaders(reply).header('www-authenticate', 'Basic realm="Loops", charset="UTF-8"');
  const code = status ?? (error === 'invalid_client' ? 401 : 400);
  return forbidStoring(reply).code(code).send({ error, error_description: description });
}
