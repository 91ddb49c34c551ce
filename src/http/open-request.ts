import type { Agent, ClientRequest } from 'node:http';
import { request as requestHttps } from 'node:https';
import { ACCEPT_ENCODING } from './decoder.ts';
import { requestHttp } from './node-http.ts';
import { MAX_HEADER_BYTES } from './response-headers.ts';

export interface RequestOptions {
  method: string;
  /** Its kind must match the scheme of the URL. */
  agent: Agent;
  headers: Readonly<Record<string, string>>;
  /** The request target (RFC 9112 section 3.2.1) to send unchanged. Default: the path and query of the URL. */
  target?: string | undefined;
  /** Whether the answer is read by Node's lenient parser. Default: strictly. */
  isLenient?: boolean;
}

/** Opens a request with bare Node: no retry, no redirect, no decompression. The caller ends it. */
export function openRequest(
  url: URL,
  userAgent: string,
  { method, agent, headers, target, isLenient = false }: RequestOptions,
): ClientRequest {
  // Not the URL itself: Node would take it apart once more.
  const { protocol, hostname, port } = url;
  const request = (protocol === 'https:' ? requestHttps : requestHttp)({
    protocol,
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port),
    method,
    agent,
    maxHeaderSize: MAX_HEADER_BYTES,
    insecureHTTPParser: isLenient,
    headers: { 'user-agent': userAgent, 'accept-encoding': ACCEPT_ENCODING, ...headers },
    path: target ?? url.pathname + url.search,
  });
  // Node would drop the lines after the first 2,000 without a word.
  request.maxHeadersCount = 0;
  return request;
}
