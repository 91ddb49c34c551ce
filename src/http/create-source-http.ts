import { setTimeout as delay } from 'node:timers/promises';
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
  /** `standard` and `strict` are one here: a list is no config endpoint, so the `*` group is obeyed in both. */
  robots: 'standard' | 'strict' | 'off';
}

type Outcome = SourceAnswer | SourceRefusal;

interface Site {
  robots: Robots;
  /** When it was asked last, on the clock of the options. */
  lastAt: number;
  /** Asked for nothing but its robots.txt yet. */
  isNew: boolean;
}

const MOST_REDIRECTS = 3;
/** The first request follows robots.txt so soon, however long a Crawl-delay is; those after it wait in full. */
const LONGEST_FIRST_REST_MS = 5_000;

/** How sources ask other people's servers. */
export function createSourceHttp(options: SourceHttpOptions): SourceHttp {
  return { open: (limits) => openClient(options, limits) };
}

function openClient(options: SourceHttpOptions, { withinMs, signal }: SourceRunLimits): SourceClient {
  const { clock } = options;
  const startedAt = clock();
  const leftMs = () => Math.max(0, withinMs - (clock() - startedAt));
  const exchange = createSourceExchange(options, { startedAt, withinMs });
  const sites = new Map<string, Site>();
  const over = new AbortController();
  const end = (why: string) => {
    over.abort();
    exchange.end(why);
  };
  const timer = setTimeout(() => end(`the reading took longer than ${withinMs / 1_000} s`), withinMs);
  const onAbort = () => end('stopping');
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  const rest = (ms: number) => delay(ms, undefined, { signal: over.signal }).catch(() => undefined);

  async function follow(url: URL, asked: SourceRequest, admit: (url: URL) => Promise<SourceRefusal | null>) {
    let at = url;
    for (let hops = 0; ; hops += 1) {
      const refusal = await admit(at);
      if (refusal !== null) return refusal;
      const answer = await exchange.send(at, asked);
      if (answer.kind !== 'redirect') return answer;
      if (hops === MOST_REDIRECTS) return refused('it redirects again and again');
      const to = sourceRedirect(at, answer.location);
      if (typeof to === 'string') return refused(to);
      at = to;
    }
  }

  async function siteOf(origin: string): Promise<Site | SourceRefusal> {
    const known = sites.get(origin);
    if (known !== undefined) return known;
    const get = (url: URL, maxBytes: number): Promise<Outcome> =>
      follow(url, { accept: 'text/plain', maxBytes }, async () => null);
    const robots = await readSiteRobots(origin, get);
    if ('kind' in robots) return robots;
    const site = { robots, lastAt: clock(), isNew: true };
    sites.set(origin, site);
    return site;
  }

  /** Asks the robots.txt of a site whether, and waits as long as it wants. */
  async function admit(url: URL): Promise<SourceRefusal | null> {
    if (options.robots === 'off') return null;
    const site = await siteOf(url.origin);
    if ('kind' in site) return site;
    const { rules, crawlDelaySeconds } = site.robots;
    const by = rules(url.pathname + url.search);
    if (by !== null) return refused(`its robots.txt forbids it to ${by === 'ours' ? 'Loopscout' : 'everyone'}`);
    const wanted = (crawlDelaySeconds ?? 0) * 1_000;
    const restMs = (site.isNew ? Math.min(wanted, LONGEST_FIRST_REST_MS) : wanted) - (clock() - site.lastAt);
    if (restMs > leftMs())
      return refused(`its robots.txt asks for ${crawlDelaySeconds} s between requests, and the time is up before that`);
    if (restMs > 0) await rest(restMs);
    site.isNew = false;
    site.lastAt = clock();
    return null;
  }

  return {
    request: (url, asked) => follow(url, asked, admit),
    rest,
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
 * Where a redirect of a source leads, or why it is not followed: to its own host as it was asked, or to https, without user and password,
 * at a usual port or its own. The addresses there are judged like any.
 */
export function sourceRedirect(from: URL, location: string | undefined): URL | string {
  if (location === undefined || !URL.canParse(location, from.href)) return 'it redirects to nowhere';
  const to = new URL(location, from);
  const isOwn = to.hostname === from.hostname;
  if (to.protocol !== 'https:' && !(isOwn && to.protocol === from.protocol))
    return `it redirects to ${to.protocol.slice(0, 20)}//, which is not followed`;
  if (to.username !== '' || to.password !== '') return 'it redirects to an address with a user name';
  if (to.port !== '' && to.port !== '443' && !(isOwn && to.port === from.port))
    return `it redirects to port ${to.port}, which is not followed`;
  return to;
}

/**
 * Reads the robots.txt of a site. RFC 9309 section 2.3.1: 4xx allows all; 5xx and silence nothing, which is returned as the reason.
 *
 * @param get one guarded request that follows redirects.
 */
async function readSiteRobots(
  origin: string,
  get: (url: URL, maxBytes: number) => Promise<SourceAnswer | SourceRefusal>,
): Promise<Robots | SourceRefusal> {
  const answer = await get(new URL('/robots.txt', origin), ROBOTS_MAX_BYTES);
  if (answer.kind === 'failure') return { ...answer, why: `its robots.txt cannot be had: ${answer.why}` };
  const { status, retryAfterMs } = answer;
  if (status >= 500 || status === 429)
    return { kind: 'failure', why: `its robots.txt cannot be had: status ${status}`, retryAfterMs };
  if (status < 200 || status >= 300) return NO_RULES;
  const body = await beginningOf(answer.body);
  return body instanceof BodyError
    ? { kind: 'failure', why: `its robots.txt cannot be had: ${body.message}`, retryAfterMs: null }
    : parseRobots(body);
}

/** Of a longer one, the first 512 KiB, which the parser takes for cut off. */
async function beginningOf(body: AsyncIterable<Uint8Array>): Promise<Uint8Array | BodyError> {
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
