import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { RequestFunction } from 'got';

/**
 * got hands Node some thirty options for each request, nearly all of them undefined, and Node copies them several times.
 * These are the ones that a visit sets.
 *
 * @param target takes the place of the path and query of the URL, which parsing has altered.
 */
export function leanRequest(target?: string): RequestFunction {
  return (url, { method, headers, agent }, callback) => {
    const lean = target === undefined ? { method, headers, agent } : { method, headers, agent, path: target };
    return url.protocol === 'https:' ? httpsRequest(url, lean, callback) : httpRequest(url, lean, callback);
  };
}
