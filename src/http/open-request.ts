import { type ClientRequest, type Agent as HttpAgent, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { ACCEPT_ENCODING } from './decoder.ts';

export interface RequestOptions {
  method: string;
  /** Its kind must match the scheme of the URL. */
  agent: HttpAgent;
  headers: Readonly<Record<string, string>>;
  /** The request target (RFC 9112 section 3.2.1) to send unchanged. Default: the path and query of the URL. */
  target?: string | undefined;
}

/** Opens a request with bare Node: no retry, no redirect, no decompression. The caller ends it. */
export function openRequest(
  url: URL,
  userAgent: string,
  { method, agent, headers, target }: RequestOptions,
): ClientRequest {
  return (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
    method,
    agent,
    headers: { 'user-agent': userAgent, 'accept-encoding': ACCEPT_ENCODING, ...headers },
    ...(target === undefined ? {} : { path: target }),
  });
}
