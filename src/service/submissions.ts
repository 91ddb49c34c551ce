import { setTimeout as delay } from 'node:timers/promises';
import type { SubmissionResult } from '../api/submission-desk.ts';
import type { MayContactHost } from '../http/admit-host.ts';
import type { Domain } from '../model/domain/domain.ts';
import { registrableDomainOf, siteOf } from '../model/domain/registrable-domain.ts';
import type { StoreReader } from '../store/store-reader.ts';
import type { Crawler } from './crawler.ts';

/** Visits submitted domains at once, within limits. */
export interface Submissions extends AsyncDisposable {
  submit(domain: Domain): Promise<SubmissionResult>;
}

export interface SubmissionsOptions {
  /** Opens a second app on the same database; its visits run in parallel to the passes of the service. */
  open: (overrides: { mayContactHost: MayContactHost }) => Promise<Pick<Crawler, 'crawl'> & AsyncDisposable>;
  reader: StoreReader;
  onError: (error: unknown) => void;
  /** How long `submit` waits for the visit, in milliseconds. */
  answerWithinMs: number;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Monotonic, in milliseconds. */
  clock: () => number;
}

const HOUR_MS = 3_600_000;
const BATCH = 16;
const MAX_WAITING = 100;
/** The owner of a wildcard DNS record could submit any number of names that lead to one machine. */
const MAX_PER_REGISTRABLE_DOMAIN = 10;
/** Hosts visited within the last hour; at this many, submissions are refused. */
const MAX_RECENT = 50_000;
const OFFLINE = 'This crawler is offline, so the domain was not visited. No failure was recorded.';
const NOT_VISITED = 'The domain could not be visited now. No failure was recorded.';

/** `leased`: another process is visiting the domain. */
type Attempt = 'visited' | 'leased' | 'offline' | 'failed';

export function createSubmissions(options: SubmissionsOptions): Submissions {
  const { open, reader, onError, answerWithinMs, now, clock } = options;
  const giveUp = new AbortController();
  const waiting = new Map<Domain, PromiseWithResolvers<Attempt>>();
  const queue: Domain[] = [];
  /**
   * Hosts visited within the last hour by a submission, or because a submitted host led to them; oldest first, `at` on `clock`. The store
   * remembers finished visits across restarts; this map covers running visits, and is immune to changes of the wall clock.
   */
  const recent = new Map<string, { at: number; registrable: string; by: string }>();
  let working: Promise<void> | null = null;

  function forgetOld(): void {
    for (const [site, { at }] of recent) {
      if (at > clock() - HOUR_MS) break;
      recent.delete(site);
    }
  }

  /** When the host may be visited again, under any of its names, in milliseconds since the epoch; null: now. */
  function againAt(name: string): number | null {
    const last = reader.lastVisitOfSite(name, now());
    const submitted = recent.get(siteOf(name));
    const again = Math.max(
      last === null ? 0 : last + HOUR_MS,
      submitted === undefined ? 0 : now() + submitted.at + HOUR_MS - clock(),
    );
    return again > now() ? again : null;
  }

  const recentUnder = (registrable: string) =>
    [...recent.values()].filter((entry) => entry.registrable === registrable);

  /** A third-party host that a visit leads to counts as visited too: it cannot be submitted for an hour. */
  const mayContactHost: MayContactHost = ({ hostname }, visited) => {
    forgetOld();
    const [thirdParty, by] = [siteOf(hostname.replace(/\.$/, '')), siteOf(visited)];
    if (thirdParty === by || recent.get(thirdParty)?.by === by) return true;
    const registrable = registrableDomainOf(thirdParty as Domain);
    if (againAt(thirdParty) !== null || recent.size >= MAX_RECENT) return false;
    if (recentUnder(registrable).length >= MAX_PER_REGISTRABLE_DOMAIN) return false;
    recent.set(thirdParty, { at: clock(), registrable, by });
    return true;
  };

  async function visitAll(): Promise<void> {
    try {
      await using visitor = await open({ mayContactHost });
      while (queue.length > 0 && !giveUp.signal.aborted) {
        const only = queue.splice(0, BATCH);
        const onCompleted = ({ domain }: { domain: Domain }) => settle(domain, 'visited');
        const end = await visitor.crawl({ only, signal: giveUp.signal, onCompleted });
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
    if (waiting.has(domain) && (attempt === 'offline' || attempt === 'failed')) recent.delete(siteOf(domain));
    waiting.get(domain)?.resolve(attempt);
    waiting.delete(domain);
  }

  async function outcomeOf(visit: Promise<Attempt>): Promise<SubmissionResult> {
    const timer = new AbortController();
    const late = delay(answerWithinMs, 'late' as const, { signal: timer.signal }).catch(() => 'late' as const);
    const attempt = await Promise.race([visit, late]);
    timer.abort();
    if (attempt === 'visited') return { kind: 'visited' };
    if (attempt === 'offline') return { kind: 'unvisited', why: OFFLINE };
    if (attempt === 'failed') return { kind: 'unvisited', why: NOT_VISITED };
    return { kind: 'visiting' };
  }

  /** The refusal when a limit is reached; null below the limits. */
  function refusal(registrable: string): SubmissionResult | null {
    const siblings = recentUnder(registrable);
    if (siblings.length >= MAX_PER_REGISTRABLE_DOMAIN) {
      const waitMs = (siblings[0]?.at ?? clock()) + HOUR_MS - clock();
      const why = `${siblings.length} hosts of ${registrable} were submitted or contacted within the last hour.`;
      return { kind: 'busy', why, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) };
    }
    const isFull = waiting.size >= MAX_WAITING || recent.size >= MAX_RECENT;
    return isFull ? { kind: 'busy', why: 'Too many domains are waiting.', retryAfterSeconds: 60 } : null;
  }

  return {
    async submit(domain) {
      forgetOld();
      const running = waiting.get(domain);
      if (running !== undefined) return outcomeOf(running.promise);
      if (reader.optedOut.has(domain)) return { kind: 'withheld' };
      const again = againAt(domain);
      if (again !== null) return { kind: 'recent', againAt: again };
      const registrable = registrableDomainOf(domain);
      const refused = giveUp.signal.aborted ? ({ kind: 'unvisited', why: NOT_VISITED } as const) : refusal(registrable);
      if (refused !== null) return refused;
      recent.set(siteOf(domain), { at: clock(), registrable, by: siteOf(domain) });
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
