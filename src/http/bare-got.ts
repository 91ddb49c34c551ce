import got, { type Got } from 'got';
import { ACCEPT_ENCODING } from './decoder.ts';
import { leanRequest } from './lean-request.ts';

/** got without anything that it does of its own accord: no retry, no redirect, no decoding, no word on a status. */
export function bareGot(userAgent: string): Got {
  return got.extend({
    headers: { 'user-agent': userAgent, 'accept-encoding': ACCEPT_ENCODING },
    decompress: false,
    // The lists are copied for each request, and with no retries nobody reads them.
    retry: { limit: 0, methods: [], statusCodes: [], errorCodes: [] },
    followRedirect: false,
    throwHttpErrors: false,
    request: leanRequest(),
  });
}
