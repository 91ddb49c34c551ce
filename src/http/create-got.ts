import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import got, { type Got, type RequestFunction } from 'got';
import { ACCEPT_ENCODING } from './decoder.ts';

/** got without anything that it does of its own accord: no retry, no redirect, no decoding, no word on a status. */
export function createGot(userAgent: string): Got {
  return got.extend({
    headers: { 'user-agent': userAgent, 'accept-encoding': ACCEPT_ENCODING },
    decompress: false,
    // The lists are copied for each request, and with no retries nobody reads them.
    retry: { limit: 0, methods: [], statusCodes: [], errorCodes: [] },
    followRedirect: false,
    throwHttpErrors: false,
    request: createMinimalRequest(),
  });
}

/**
 * got hands Node some thirty options for each request, nearly all of them undefined, and Node copies them several times.
 * These are the ones that a visit sets.
 *
 * @param target takes the place of the path and query of the URL, which parsing has altered.
 */
export function createMinimalRequest(target?: string): RequestFunction {
  return (url, { method, headers, agent }, callback) => {
    const lean = target === undefined ? { method, headers, agent } : { method, headers, agent, path: target };
    return url.protocol === 'https:' ? httpsRequest(url, lean, callback) : httpRequest(url, lean, callback);
  };
}
