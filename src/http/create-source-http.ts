import { setTimeout as delay } from 'node:timers/promises';
import { locationUrl } from './response-headers.ts';
import { NO_RULES, parseRobots, ROBOTS_MAX_BYTES, type Robots } from './robots.ts';
import { createSourceExchange, type SourceExchangeOptions } from './source-exchange.ts';
import type {
  SourceAnswer,
  SourceClient,
  SourceHttp,
  SourceRefusal,
  SourceRequest,
  SourceRunLimits,
} from './source-http.ts';
import { BodyError } from './stream-body.ts';

export interface SourceHttpOptions extends SourceExchangeOptions {
  /** `standard` and `strict` do the same here: they differ only in requests for the config endpoint, which a source does not send. */
  robots: 'standard' | 'strict' | 'off';
}

interface Site {
  robots: Robots;
  /** Time of the last request, on the clock of the options. */
  lastAt: number;
  /** Whether only robots.txt was requested so far. */
  isNew: boolean;
}

const MAX_REDIRECTS = 3;
/** Caps the Crawl-delay between robots.txt and the first request; later requests wait in full. */
const MAX_FIRST_DELAY_MS = 5_000;

/** The HTTP client of sources: guarded, streamed, bounded. */
export function createSourceHttp(options: SourceHttpOptions): SourceHttp {
  return { open: (limits) => openClient(options, limits) };
}

function openClient(options: SourceHttpOptions, { withinMs, signal }: SourceRunLimits): SourceClient {
  const { clock } = options;
  const startedAt = clock();
  const leftMs = () => Math.max(0, withinMs - (clock() - startedAt));
  const exchange = createSourceExchange(options, { startedAt, withinMs });
  const sites = new Map<string, Site>();
  const runEnd = new AbortController();
  const end = (why: string) => {
    runEnd.abort();
    exchange.end(why);
  };
  const timer = setTimeout(() => end(`the run took longer than ${withinMs / 1_000} s`), withinMs);
  const onAbort = () => end('stopping');
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  const wait = (ms: number) => delay(ms, undefined, { signal: runEnd.signal }).catch(() => undefined);

  async function follow(url: URL, sourceRequest: SourceRequest, admit: (url: URL) => Promise<SourceRefusal | null>) {
    let current = url;
    for (let hops = 0; ; hops += 1) {
      const refusal = await admit(current);
      if (refusal !== null) return refusal;
      const answer = await exchange.send(current, sourceRequest);
      if (answer.kind !== 'redirect') return answer;
      if (hops === MAX_REDIRECTS) return refused('it redirects too many times');
      const to = sourceRedirect(current, answer.location);
      if (typeof to === 'string') return refused(to);
      current = to;
    }
  }

  async function readSite(origin: string): Promise<Site | SourceRefusal> {
    const known = sites.get(origin);
    if (known !== undefined) return known;
    const get = (url: URL, maxBytes: number): Promise<SourceAnswer | SourceRefusal> =>
      follow(url, { accept: 'text/plain', maxBytes }, async () => null);
    const robots = await readSiteRobots(origin, get);
    if ('kind' in robots) return robots;
    const site = { robots, lastAt: clock(), isNew: true };
    sites.set(origin, site);
    return site;
  }

  /** Checks a URL against the robots.txt of its site and waits for the Crawl-delay. */
  async function admit(url: URL): Promise<SourceRefusal | null> {
    if (options.robots === 'off') return null;
    const site = await readSite(url.origin);
    if ('kind' in site) return site;
    const { forbiddenBy, crawlDelaySeconds } = site.robots;
    const forbiddenTo = forbiddenBy(url.pathname + url.search);
    if (forbiddenTo !== null)
      return refused(`its robots.txt forbids it to ${forbiddenTo === 'named' ? 'Loopscout' : 'everyone'}`);
    const delayMs = (crawlDelaySeconds ?? 0) * 1_000;
    const waitMs = (site.isNew ? Math.min(delayMs, MAX_FIRST_DELAY_MS) : delayMs) - (clock() - site.lastAt);
    if (waitMs > leftMs())
      return refused(
        `its robots.txt asks for ${crawlDelaySeconds} s between requests, more than the time that is left`,
      );
    if (waitMs > 0) await wait(waitMs);
    site.isNew = false;
    site.lastAt = clock();
    return null;
  }

  return {
    request: (url, sourceRequest) => follow(url, sourceRequest, admit),
    wait,
    leftMs,
    requests: () => exchange.sent(),
    close() {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      end('stopping');
    },
  };
}

function refused(why: string): SourceRefusal {
  return { kind: 'failure', why, retryAfterMs: null };
}

/**
 * The target of a source's redirect, or why it is not followed. A target must use https (or the same host and scheme), have no user
 * name or password, and use the default port of its scheme, 443 or the same port of the same host. Its addresses are judged
 * like any other.
 */
export function sourceRedirect(from: URL, location: string | undefined): URL | string {
  const to = location === undefined ? null : locationUrl(location, from.href);
  if (to === null) return 'it redirects without a valid target';
  const isSameHost = to.hostname === from.hostname;
  if (to.protocol !== 'https:' && !(isSameHost && to.protocol === from.protocol))
    return `it redirects to ${to.protocol.slice(0, 20)}//, which is not followed`;
  if (to.username !== '' || to.password !== '') return 'it redirects to a URL with a user name';
  if (to.port !== '' && to.port !== '443' && !(isSameHost && to.port === from.port))
    return `it redirects to port ${to.port}, which is not followed`;
  return to;
}

/**
 * Reads the robots.txt of a site (RFC 9309 section 2.3.1): a 4xx other than 429 allows everything; 429, a 5xx, no answer or a redirect
 * that is not followed is a refusal.
 *
 * @param get sends one guarded request and follows redirects.
 */
async function readSiteRobots(
  origin: string,
  get: (url: URL, maxBytes: number) => Promise<SourceAnswer | SourceRefusal>,
): Promise<Robots | SourceRefusal> {
  const answer = await get(new URL('/robots.txt', origin), ROBOTS_MAX_BYTES);
  if (answer.kind === 'failure') return { ...answer, why: `its robots.txt cannot be read: ${answer.why}` };
  const { status, retryAfterMs } = answer;
  if (status >= 500 || status === 429)
    return { kind: 'failure', why: `its robots.txt cannot be read: status ${status}`, retryAfterMs };
  if (status < 200 || status >= 300) return NO_RULES;
  const body = await readStart(answer.body);
  return body instanceof BodyError
    ? { kind: 'failure', why: `its robots.txt cannot be read: ${body.message}`, retryAfterMs: null }
    : parseRobots(body);
}

/** At most {@link ROBOTS_MAX_BYTES} bytes; the parser treats a body of that length as truncated. */
async function readStart(body: AsyncIterable<Uint8Array>): Promise<Uint8Array | BodyError> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      bytes += chunk.length;
    }
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    if (bytes < ROBOTS_MAX_BYTES) return error;
  }
  return Buffer.concat(chunks);
}
