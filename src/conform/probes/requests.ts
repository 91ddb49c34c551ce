import type { Evidence } from '../evidence.ts';
import type { SentRequest } from '../exchange.ts';
import { REDIRECT_URI } from './redirect-uri.ts';

/** Values that no server issued. Reports show them, because they are not secrets. */
export const INVENTED = {
  /** Looks like a snowflake id: 19 digits, below 2^63. */
  video: '9182736450918273645',
  client: 'conform-unknown-client',
  secret: 'conform-wrong-secret',
  token: 'conform-unknown-token',
  code: 'conform-unknown-code',
  verifier: 'conform-wrong-verifier-conform-wrong-verifier-42',
} as const;

const JSON_ACCEPT = { accept: 'application/json' };

export function get(evidence: Evidence, path: string, token?: string): SentRequest {
  const headers = token === undefined ? JSON_ACCEPT : { ...JSON_ACCEPT, authorization: `Bearer ${token}` };
  return { method: 'GET', url: `${evidence.options.base}${path}`, headers, body: null };
}

export function postJson(
  evidence: Evidence,
  path: string,
  body: Readonly<Record<string, string | readonly string[]>>,
): SentRequest {
  const headers = { ...JSON_ACCEPT, 'content-type': 'application/json' };
  return { method: 'POST', url: `${evidence.options.base}${path}`, headers, body: JSON.stringify(body) };
}

export function postForm(evidence: Evidence, path: string, body: Readonly<Record<string, string>>): SentRequest {
  const headers = { ...JSON_ACCEPT, 'content-type': 'application/x-www-form-urlencoded' };
  return { method: 'POST', url: `${evidence.options.base}${path}`, headers, body: `${new URLSearchParams(body)}` };
}

/** A page, as a browser requests it. */
export function getPage(url: string): SentRequest {
  return { method: 'GET', url, headers: { accept: 'text/html' }, body: null };
}

export function authorizeUrl(evidence: Evidence, query: Readonly<Record<string, string>>): string {
  return `${evidence.options.base}/oauth/authorize?${new URLSearchParams(query)}`;
}

/** The query of a valid authorization request of the registered app, without `state`. */
export function appQuery(evidence: Evidence): { response_type: string; client_id: string; redirect_uri: string } {
  return { response_type: 'code', client_id: evidence.string('apps', 'client_id'), redirect_uri: REDIRECT_URI };
}

/** A state with characters that need encoding, different for each purpose and run. */
export function stateFor({ options }: Evidence, purpose: string): string {
  return `${options.nonce} ${purpose}/+&=%é`;
}

export function credentials(evidence: Evidence): { client_id: string; client_secret: string } {
  return {
    client_id: evidence.string('apps', 'client_id'),
    client_secret: evidence.string('apps', 'client_secret'),
  };
}
