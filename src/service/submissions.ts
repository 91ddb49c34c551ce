import { setTimeout as delay } from 'node:timers/promises';
import type { SubmissionResult } from '../api/submission-desk.ts';
import type { MayContactHost } from '../http/admit-host.ts';
import type { Domain } from '../model/domain/domain.ts';
import { registrableDomainOf, siteOf } from '../model/domain/registrable-domain.ts';
import type { HourlyLimit } from '../queue/hourly-limit.ts';
import type { StoreReader } from '../store/store-reader.ts';
import type { Crawler } from './crawler.ts';

/** Visits submitted domains immediately, within limits. */
export interface Submissions extends AsyncDisposable {
  submit(domain: Domain): Promise<SubmissionResult>;
}

export interface SubmissionsOptions {
  /**
   * Opens a second app on the same database. Its visits run in parallel with the passes of the service, and share their limits.
   *
   * @param restrict wraps the rule for third-party hosts in a stricter one.
   */
  open: (
    restrict: (mayContactHost: MayContactHost) => MayContactHost,
  ) => Promise<Pick<Crawler, 'crawl'> & AsyncDisposable>;
  /** Counts submissions together with the contacts that visits make with third-party hosts. */
  limit: HourlyLimit;
  reader: StoreReader;
  onError: (error: unknown) => void;
  /** How long `submit` waits for the visit, in milliseconds. */
  answerWithinMs: number;
  /** Milliseconds since the epoch. */
  now: () => number;
}

const HOUR_MS = 3_600_000;
const BATCH = 16;
const MAX_WAITING = 100;
/** The owner of a wildcard DNS record could submit any number of names that lead to one machine. */
const MAX_PER_REGISTRABLE_DOMAIN = 10;
const OFFLINE = 'This crawler is offline, so the domain was not visited. No failure was recorded.';
const POSTPONED =
  'The domain needs a third-party host whose hourly limit of contacts is reached. It will be visited later.';
const NOT_VISITED = 'The domain could not be visited now. No failure was recorded.';

/** `leased`: another process is visiting the domain. */
type Attempt = 'visited' | 'postponed' | 'leased' | 'offline' | 'failed';

/** Counts submitted visits from their start; the store knows only finished ones. */
const siteClaim = (host: string) => ({ key: `site ${siteOf(host)}`, limit: 1 });
export const domainClaim = (domain: Domain) => ({
  key: `domain ${registrableDomainOf(domain)}`,
  limit: MAX_PER_REGISTRABLE_DOMAIN,
});

export function createSubmissions(options: SubmissionsOptions): Submissions {
  const { open, limit, reader, onError, answerWithinMs, now } = options;
  const giveUp = new AbortController();
  const waiting = new Map<Domain, PromiseWithResolvers<Attempt>>();
  const queue: Domain[] = [];
  let working: Promise<void> | null = null;

  /** When the host may be visited again, under any of its names, in milliseconds since the epoch; null: now. */
  function nextVisitAllowedAt(host: string): number | null {
    const last = reader.lastVisitUnderAnyName(host, now());
    const again = Math.max(last === null ? 0 : last + HOUR_MS, now() + limit.waitMs([siteClaim(host)]));
    return again > now() ? again : null;
  }

  /** A third-party host that a visit leads to counts as visited too: it cannot be submitted for an hour. */
  const restrict =
    (mayContactHost: MayContactHost): MayContactHost =>
    (url, ...visit) => {
      const host = url.hostname.replace(/\.$/, '');
      return nextVisitAllowedAt(host) === null && mayContactHost(url, ...visit) && limit.admit([siteClaim(host)]);
    };

  async function visitAll(): Promise<void> {
    try {
      await using app = await open(restrict);
      while (queue.length > 0 && !giveUp.signal.aborted) {
        const only = queue.splice(0, BATCH);
        const onCompleted = ({ domain }: { domain: Domain }) => settle(domain, 'visited');
        const onPostponed = (domain: Domain) => settle(domain, 'postponed');
        const end = await app.crawl({ only, signal: giveUp.signal, onCompleted, onPostponed });
        for (const domain of only) settle(domain, end === 'done' ? 'leased' : end === 'offline' ? 'offline' : 'failed');
      }
    } catch (error) {
      onError(error);
    }
    for (const domain of [...waiting.keys()]) settle(domain, 'failed');
    queue.length = 0;
  }

  function settle(domain: Domain, attempt: Attempt): void {
    // A domain that was not visited may be submitted again at once.
    if (waiting.has(domain) && (attempt === 'offline' || attempt === 'failed'))
      limit.revoke([siteClaim(domain), domainClaim(domain)]);
    waiting.get(domain)?.resolve(attempt);
    waiting.delete(domain);
  }

  async function outcomeOf(visit: Promise<Attempt>): Promise<SubmissionResult> {
    const timer = new AbortController();
    const late = delay(answerWithinMs, 'late' as const, { signal: timer.signal }).catch(() => 'late' as const);
    const attempt = await Promise.race([visit, late]);
    timer.abort();
    if (attempt === 'visited') return { kind: 'visited' };
    if (attempt === 'postponed') return { kind: 'busy', why: POSTPONED, retryAfterSeconds: HOUR_MS / 1_000 };
    if (attempt === 'offline') return { kind: 'unvisited', why: OFFLINE };
    if (attempt === 'failed') return { kind: 'unvisited', why: NOT_VISITED };
    return { kind: 'visiting' };
  }

  /** The refusal when a limit is reached; null below the limits. */
  function findRefusal(domain: Domain): SubmissionResult | null {
    const waitMs = limit.waitMs([domainClaim(domain)]);
    if (waitMs > 0) {
      const why = `${MAX_PER_REGISTRABLE_DOMAIN} hosts of ${registrableDomainOf(domain)} were submitted or contacted within the last hour.`;
      return { kind: 'busy', why, retryAfterSeconds: Math.ceil(waitMs / 1_000) };
    }
    const isFull = waiting.size >= MAX_WAITING;
    return isFull ? { kind: 'busy', why: 'Too many domains are waiting.', retryAfterSeconds: 60 } : null;
  }

  return {
    async submit(domain) {
      const running = waiting.get(domain);
      if (running !== undefined) return outcomeOf(running.promise);
      if (reader.optedOut.has(domain)) return { kind: 'opted-out' };
      const allowedAt = nextVisitAllowedAt(domain);
      if (allowedAt !== null) return { kind: 'recent', againAt: allowedAt };
      const refused = giveUp.signal.aborted ? ({ kind: 'unvisited', why: NOT_VISITED } as const) : findRefusal(domain);
      if (refused !== null) return refused;
      if (!limit.admit([siteClaim(domain), domainClaim(domain)]))
        return { kind: 'busy', why: 'Too many hosts were contacted within the last hour.', retryAfterSeconds: 60 };
      const visit = Promise.withResolvers<Attempt>();
      waiting.set(domain, visit);
      queue.push(domain);
      working ??= visitAll().finally(() => {
        working = null;
      });
      return outcomeOf(visit.promise);
    },

    async [Symbol.asyncDispose]() {
      giveUp.abort();
      await working;
      reader[Symbol.dispose]();
    },
  };
}
