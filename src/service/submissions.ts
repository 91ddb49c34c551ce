import { setTimeout as delay } from 'node:timers/promises';
import type { Submitted } from '../api/submission-desk.ts';
import type { MayContactHost } from '../http/admit-host.ts';
import type { Domain } from '../model/domain/domain.ts';
import { registrableDomainOf, siteOf } from '../model/domain/registrable-domain.ts';
import type { StoreReader } from '../store/store-reader.ts';
import type { Crawler } from './crawler.ts';

/** Visits domains that anybody hands in, at once and within limits. */
export interface Submissions extends AsyncDisposable {
  submit(domain: Domain): Promise<Submitted>;
}

export interface SubmissionsParts {
  /** An app of its own on the same database: its visits run beside the passes of the service. */
  open: (overrides: { mayContactHost: MayContactHost }) => Promise<Pick<Crawler, 'crawl'> & AsyncDisposable>;
  reader: StoreReader;
  onError: (error: unknown) => void;
  /** How long an answer may wait for its visit. */
  patienceMs: number;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Monotonic, in milliseconds. */
  clock: () => number;
}

const HOUR_MS = 3_600_000;
const BATCH = 16;
const MOST_WAITING = 100;
/** Who answers for every name below theirs can hand in as many as they like, all of which lead to one machine. */
const MOST_OF_REGISTRABLE_DOMAIN = 10;
/** Hosts remembered; beyond this nobody is visited before the first of them is an hour old. */
const MOST_REMEMBERED = 50_000;
const OFFLINE = 'We are offline, so that nobody can be visited; nothing is held against the domain.';
const NOT_REACHED = 'It could not be visited just now; nothing is held against it.';

/** How an attempt to visit ended; `left`: another process is visiting it. */
type Attempt = 'visited' | 'left' | 'offline' | 'broken';

export function createSubmissions(parts: SubmissionsParts): Submissions {
  const { open, reader, onError, patienceMs, now, clock } = parts;
  const giveUp = new AbortController();
  const waiting = new Map<Domain, PromiseWithResolvers<Attempt>>();
  const queue: Domain[] = [];
  /**
   * When each host was last asked because it was handed in, or since one that was led to it, and how many of each registrable domain were, on
   * `clock`; oldest first. What became of visits is in the store, across restarts; here is what is under way, and what a clock that was set would hide.
   */
  const visitedAt = new Map<string, { at: number; registrable: string | null; by: string }>();
  let working: Promise<void> | null = null;

  function forgetOld(): void {
    for (const [site, { at }] of visitedAt) {
      if (at > clock() - HOUR_MS) break;
      visitedAt.delete(site);
    }
  }

  /** From when on the host may be visited again, under whichever of its names, milliseconds since the epoch; null: now. */
  function againAt(name: string): number | null {
    const last = reader.lastVisitOfSite(name, now());
    const handedIn = visitedAt.get(siteOf(name));
    const ends = [
      last === null ? 0 : last + HOUR_MS,
      handedIn === undefined ? 0 : now() + handedIn.at + HOUR_MS - clock(),
    ];
    const again = Math.max(...ends);
    return again > now() ? again : null;
  }

  /** A visit may lead to a host that could be handed in itself, and then that host can not be for an hour. */
  const mayContactHost: MayContactHost = ({ hostname }, visited) => {
    forgetOld();
    const [guest, by] = [siteOf(hostname.replace(/\.$/, '')), siteOf(visited)];
    if (guest === by || visitedAt.get(guest)?.by === by) return true;
    if (againAt(guest) !== null || visitedAt.size >= MOST_REMEMBERED) return false;
    visitedAt.set(guest, { at: clock(), registrable: null, by });
    return true;
  };

  async function visitAll(): Promise<void> {
    try {
      await using visitor = await open({ mayContactHost });
      while (queue.length > 0 && !giveUp.signal.aborted) {
        const only = queue.splice(0, BATCH);
        const onCompleted = ({ domain }: { domain: Domain }) => settle(domain, 'visited');
        const end = await visitor.crawl({ only, signal: giveUp.signal, onCompleted });
        for (const domain of only) settle(domain, end === 'done' ? 'left' : end === 'offline' ? 'offline' : 'broken');
      }
    } catch (error) {
      onError(error);
    }
    for (const domain of [...waiting.keys()]) settle(domain, 'broken');
    queue.length = 0;
  }

  function settle(domain: Domain, attempt: Attempt): void {
    // What was not asked may be handed in again at once.
    if (waiting.has(domain) && (attempt === 'offline' || attempt === 'broken')) visitedAt.delete(siteOf(domain));
    waiting.get(domain)?.resolve(attempt);
    waiting.delete(domain);
  }

  async function outcomeOf(visit: Promise<Attempt>): Promise<Submitted> {
    const timer = new AbortController();
    const late = delay(patienceMs, 'late' as const, { signal: timer.signal }).catch(() => 'late' as const);
    const attempt = await Promise.race([visit, late]);
    timer.abort();
    if (attempt === 'visited') return { kind: 'visited' };
    if (attempt === 'offline' || attempt === 'broken')
      return { kind: 'unvisited', why: attempt === 'offline' ? OFFLINE : NOT_REACHED };
    return { kind: 'visiting' };
  }

  /** Why it cannot be taken now; null when it can. */
  function busy(registrable: string): Submitted | null {
    const alike = [...visitedAt.values()].filter((one) => one.registrable === registrable);
    if (alike.length >= MOST_OF_REGISTRABLE_DOMAIN) {
      const endsIn = (alike[0]?.at ?? clock()) + HOUR_MS - clock();
      const why = `${alike.length} hosts of ${registrable} were handed in within the last hour.`;
      return { kind: 'busy', why, retryAfterSeconds: Math.max(1, Math.ceil(endsIn / 1_000)) };
    }
    const isFull = waiting.size >= MOST_WAITING || visitedAt.size >= MOST_REMEMBERED;
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
      const refused = giveUp.signal.aborted ? ({ kind: 'unvisited', why: NOT_REACHED } as const) : busy(registrable);
      if (refused !== null) return refused;
      visitedAt.set(siteOf(domain), { at: clock(), registrable, by: siteOf(domain) });
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
