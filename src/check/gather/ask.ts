import type { HttpFailure } from '../../http/failure.ts';
import type { HostAddress } from '../../http/resolver.ts';
import type { HttpResult, OpenWebClient, SendOptions } from '../../http/visit-client.ts';
import { type Domain, hostOf, originOf } from '../../model/domain/domain.ts';
import type { Exchange } from '../evidence.ts';
import type { Budget } from './budget.ts';

/** One request as it is to be sent. */
export interface HttpRequest extends SendOptions {
  url: URL;
  /** Those of the host that are used; default: all that it has. */
  addresses?: readonly HostAddress[];
}

/** Sends one request, and nothing else; null when there was no time left, or no request. */
export type Ask = (asked: HttpRequest) => Promise<Exchange | null>;

export interface AskOptions {
  openClient: OpenWebClient;
  domain: Domain;
  /** Those of its host, judged already. */
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

/** After so many requests in a row without an answer, a server is taken to be silent, and asked no more. */
const MOST_SILENT = 6;

/** Each request has a client of its own, so that each is a whole connection, and none is sent twice. */
export function createAsk({ openClient, domain, addresses, budget }: AskOptions): Ask {
  let silent = 0;
  /** What the server says by its answer, or by none, of being asked further. */
  const heed = ({ origin }: URL, { failure, status }: Exchange) => {
    if (origin !== originOf(domain)) return;
    if (status === 429) budget.stop('the server asked for fewer requests (429)');
    silent = status === null && TIMEOUTS.has(failure) ? silent + 1 : 0;
    if (silent === MOST_SILENT) budget.stop(`${MOST_SILENT} requests in a row had no answer`);
  };

  return async (asked) => {
    if (!budget.mayAsk()) return null;
    const { url, target, method } = asked;
    // Whatever is not the host that is checked, the client resolves and judges.
    const client = openClient(hostOf(domain), asked.addresses ?? addresses);
    const onAbort = () => client.close();
    budget.signal.addEventListener('abort', onAbort, { once: true });
    try {
      const result = await client.send(url, asked);
      if (isOutOfTime(result) && !budget.mayAsk()) return null;
      const exchange = exchangeOf(method, target === undefined ? url.href : url.origin + target, result);
      heed(url, exchange);
      return exchange;
    } finally {
      budget.signal.removeEventListener('abort', onAbort);
      client.close();
    }
  };
}

/** That is also what a request ends in which was not to be sent. */
function isOutOfTime(result: HttpResult): boolean {
  return result.kind === 'failure' && result.failure === 'visit-timeout';
}

function exchangeOf(method: Exchange['method'], url: string, result: HttpResult): Exchange {
  const { status, headers = {}, ms } = result;
  const asked = { method, url, status, headers, ms: Math.round(ms), followed: [] };
  if (result.kind === 'answer') return { ...asked, body: result.body, failure: null, detail: null };
  return { ...asked, body: new Uint8Array(), failure: result.failure, detail: result.detail ?? null };
}
