import type { HttpFailure } from '../../http/failure.ts';
import type { HostAddress } from '../../http/resolver.ts';
import type { HttpResult, OpenWebClient, SendOptions } from '../../http/visit-client.ts';
import { type Domain, hostOf, originOf } from '../../model/domain/domain.ts';
import type { Exchange } from '../evidence.ts';
import type { Budget } from './budget.ts';

/** One request to send. */
export interface HttpRequest extends SendOptions {
  url: URL;
  /** The addresses of the host to use; default: all. */
  addresses?: readonly HostAddress[];
}

/** Sends one request without following redirects; null when the budget of time or requests is used up. */
export type SendRequest = (request: HttpRequest) => Promise<Exchange | null>;

export interface RequestSenderOptions {
  openClient: OpenWebClient;
  domain: Domain;
  /** The addresses of its host, checked by the guard. */
  addresses: readonly HostAddress[];
  budget: Budget;
}

const TIMEOUTS: ReadonlySet<HttpFailure | null> = new Set<HttpFailure>([
  'connect-timeout',
  'tls-timeout',
  'response-timeout',
  'body-timeout',
  'visit-timeout',
]);

/** After this many time-outs in a row, nothing more is sent to the server. */
const MAX_TIMEOUTS = 6;

/** Every request gets a new client, so that each opens its own connection and none is repeated. */
export function createRequestSender({ openClient, domain, addresses, budget }: RequestSenderOptions): SendRequest {
  let timeouts = 0;
  /** Stops the check when the server asks for fewer requests, or answers nothing. */
  const stopIfUnwelcome = ({ origin }: URL, { failure, status }: Exchange) => {
    if (origin !== originOf(domain)) return;
    if (status === 429) budget.stop('the server asked for fewer requests (429)');
    timeouts = status === null && TIMEOUTS.has(failure) ? timeouts + 1 : 0;
    if (timeouts === MAX_TIMEOUTS) budget.stop(`${MAX_TIMEOUTS} requests in a row had no answer`);
  };

  return async (request) => {
    if (!budget.canSend()) return null;
    const { url, target, method } = request;
    // The client resolves other hosts itself, behind the address guard.
    const client = openClient(hostOf(domain), request.addresses ?? addresses);
    const onAbort = () => client.close();
    budget.signal.addEventListener('abort', onAbort, { once: true });
    try {
      const result = await client.send(url, request);
      if (isOutOfTime(result) && !budget.canSend()) return null;
      const exchange = exchangeOf(method, target === undefined ? url.href : url.origin + target, result);
      stopIfUnwelcome(url, exchange);
      return exchange;
    } finally {
      budget.signal.removeEventListener('abort', onAbort);
      client.close();
    }
  };
}

/** A request that the budget refused ends with the same failure as a time-out. */
function isOutOfTime(result: HttpResult): boolean {
  return result.kind === 'failure' && result.failure === 'visit-timeout';
}

function exchangeOf(method: Exchange['method'], url: string, result: HttpResult): Exchange {
  const { status, headers = {}, ms } = result;
  const request = { method, url, status, headers, ms: Math.round(ms), followed: [] };
  if (result.kind === 'answer') return { ...request, body: result.body, failure: null, detail: null };
  return { ...request, body: new Uint8Array(), failure: result.failure, detail: result.detail ?? null };
}
