import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import got, { type Got, type RequestFunction } from 'got';
import { ACCEPT_ENCODING } from './decoder.ts';

/** got without its automatic behaviour: no retry, no redirect, no decompression, no error for a status. */
export function createGot(userAgent: string): Got {
  return got.extend({
    headers: { 'user-agent': userAgent, 'accept-encoding': ACCEPT_ENCODING },
    decompress: false,
    // got copies these lists for each request; without retries they have no use.
    retry: { limit: 0, methods: [], statusCodes: [], errorCodes: [] },
    followRedirect: false,
    throwHttpErrors: false,
    request: createMinimalRequest(),
  });
}

/**
 * got passes Node some thirty options for each request, nearly all undefined, and Node copies them several times. This passes only
 * those that a visit sets.
 *
 * @param target replaces the path and query of the URL, which URL parsing may have altered.
 */
export function createMinimalRequest(target?: string): RequestFunction {
  return (url, { method, headers, agent }, callback) => {
    const minimal = target === undefined ? { method, headers, agent } : { method, headers, agent, path: target };
    return url.protocol === 'https:' ? httpsRequest(url, minimal, callback) : httpRequest(url, minimal, callback);
  };
}
