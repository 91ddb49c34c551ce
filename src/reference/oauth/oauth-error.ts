import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import { exposeHeaders } from '../server-identity.ts';

/** An error of RFC 6749 sections 4.1.2.1 and 5.2. The description is a fixed text: nothing of the request is in it. */
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

/** Answers of the token and the revocation endpoint are for nobody else (RFC 6749 section 5.1). */
export function forbidStoring(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'no-store').header('pragma', 'no-cache');
}

/** Sends an error as RFC 6749 section 5.2 says: 401 with a challenge for `invalid_client`, else 400, unless `status` says otherwise. */
export function sendOAuthError(reply: FastifyReply, { error, description }: OAuthError, status?: number): FastifyReply {
  if (error === 'invalid_client')
    exposeHeaders(reply).header('www-authenticate', 'Basic realm="Loops", charset="UTF-8"');
  const code = status ?? (error === 'invalid_client' ? 401 : 400);
  return forbidStoring(reply).code(code).send({ error, error_description: description });
}

/**
 * Whether a browser says that another site made it send this form. `Origin` is `null` in forms of the consent pages themselves,
 * because they give no referrer; `Sec-Fetch-Site` then tells the two apart, and the token of the form does in any case.
 */
export function isForeign({ origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  if (origin === undefined || origin === 'null') return false;
  return !URL.canParse(origin) || new URL(origin).host !== host?.toLowerCase();
}
