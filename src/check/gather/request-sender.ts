import type { HttpFailure } from '../../http/failure.ts';
import type { HostAddress } from '../../http/resolver.ts';
import type { HttpResult, OpenWebClient, SendOptions } from '../../http/visit-client.ts';
import { type Domain, hostOf, originOf } from '../../model/domain/domain.ts';
import { redirectTargetOf } from '../answers.ts';
import type { CheckExchange } from '../evidence.ts';
import type { Budget } from './budget.ts';

/** One request to send. */
export interface HttpRequest extends SendOptions {
  url: URL;
  /** The addresses of the host to use; default: all. */
  addresses?: readonly HostAddress[];
}

/** Sends one request without following redirects; null when its method is not allowed, or the budget allows no further request. */
export type SendRequest = (request: HttpRequest) => Promise<CheckExchange | null>;

export interface RequestSenderOptions {
  openClient: OpenWebClient;
  domain: Domain;
  /** The addresses of its host, checked by the guard. */
  addresses: readonly HostAddress[];
  budget: Budget;
  /** Whether only GET requests are sent. */
  getsOnly: boolean;
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

/** If this many first answers show the same problem of a proxy, nothing more is sent: later answers would show nothing else. */
const FIRST_ANSWERS = 3;

/** How an answer shows that a proxy does not reach the application; null when it does not. */
function proxyProblemOf(exchange: CheckExchange): 'status 502 or 503' | 'a redirect to itself' | null {
  if (exchange.status === 502 || exchange.status === 503) return 'status 502 or 503';
  return redirectTargetOf(exchange)?.href === exchange.url ? 'a redirect to itself' : null;
}

/** Every request gets a new client, so that it opens a connection of its own. */
export function createRequestSender(options: RequestSenderOptions): SendRequest {
  const { openClient, domain, addresses, budget, getsOnly } = options;
  let timeouts = 0;
  const firstProblems: ReturnType<typeof proxyProblemOf>[] = [];
  /** Stops the check when the server asks for fewer requests, answers nothing, or only its proxy answers. */
  const stopIfPointless = ({ origin, pathname }: URL, exchange: CheckExchange) => {
    const { failure, status } = exchange;
    if (origin !== originOf(domain)) return;
    // The web server may send robots.txt itself while the application is down.
    if (pathname !== '/robots.txt' && firstProblems.length < FIRST_ANSWERS) {
      firstProblems.push(proxyProblemOf(exchange));
      const [problem] = firstProblems;
      const isShared = firstProblems.length === FIRST_ANSWERS && firstProblems.every((each) => each === problem);
      if (isShared && problem != null) budget.stop(`the first answers were all ${problem}`);
    }
    if (status === 429) budget.stop('the server asked for fewer requests (429)');
    timeouts = status === null && TIMEOUTS.has(failure) ? timeouts + 1 : 0;
    if (timeouts === MAX_TIMEOUTS) budget.stop(`${MAX_TIMEOUTS} requests in a row had no answer`);
  };

  return async (request) => {
    const { url, target, method } = request;
    if (getsOnly && method !== 'GET') return null;
    if (!budget.canSend()) return null;
    // The client resolves other hosts itself, behind the address guard.
    const client = openClient(hostOf(domain), request.addresses ?? addresses);
    const onAbort = () => client.close();
    budget.signal.addEventListener('abort', onAbort, { once: true });
    try {
      const result = await client.send(url, request);
      if (isOutOfTime(result) && !budget.canSend()) return null;
      const exchange = exchangeOf(method, target === undefined ? url.href : url.origin + target, result);
      stopIfPointless(url, exchange);
      return exchange;
    } finally {
      budget.signal.removeEventListener('abort', onAbort);
      client.close();
    }
  };
}

/** Whether a request ended with a time-out; one that the budget refused ends with the same failure. */
function isOutOfTime(result: HttpResult): boolean {
  return result.kind === 'failure' && result.failure === 'visit-timeout';
}

function exchangeOf(method: CheckExchange['method'], url: string, result: HttpResult): CheckExchange {
  const { status, headers = {}, ms, strictError } = result;
  const leniency = strictError === undefined ? {} : { strictError };
  const request = { method, url, status, headers, ms: Math.round(ms), followed: [], ...leniency };
  if (result.kind === 'answer') return { ...request, body: result.body, failure: null, detail: null };
  return { ...request, body: new Uint8Array(), failure: result.failure, detail: result.detail ?? null };
}
