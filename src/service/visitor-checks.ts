import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Slot } from '../crawl/host-limits.ts';
import type { HourlyLimit } from '../crawl/hourly-limit.ts';
import { registrableDomainSlot } from '../crawl/third-party-limits.ts';
import type { Domain } from '../model/domain/domain.ts';
import { siteOf } from '../model/domain/registrable-domain.ts';
import { namesOptedOutHost } from '../model/opt-outs/opt-out-names.ts';
import type { ReportView } from '../report/view.ts';
import type { CheckAnswer, CheckDesk } from '../site/check/check-desk.ts';
import type { StoreReader } from '../store/store-reader.ts';

/** Checks servers for visitors of the pages, a few at once and within limits per hour. Nothing is stored. */
export interface VisitorChecks extends CheckDesk, AsyncDisposable {}

export interface VisitorChecksOptions {
  check: (
    domain: Domain,
    options: { mayContact: (url: URL) => boolean; newestVersion: string | null; signal: AbortSignal },
  ) => Promise<ReportView>;
  /** Counts checks together with submissions and the contacts that visits make with third-party hosts. */
  limit: HourlyLimit;
  reader: Pick<StoreReader, 'optedOut' | 'newestRelease'> & Disposable;
  onError: (error: unknown) => void;
  /** How long an answer waits for the report, in milliseconds. */
  answerWithinMs: number;
  /** Milliseconds since the epoch. */
  now: () => number;
}

const MAX_RUNNING = 3;
/** How long a report is cached. Meanwhile, a request for the same domain starts no other check. */
const REPORT_MS = 10 * 60_000;
const MAX_REPORTS = 500;
/** Checks of one site per hour. */
const MAX_PER_SITE = 6;
/** All checks per hour; each sends at most 40 requests. */
const MAX_PER_HOUR = 120;
/** Hosts of other sites that one check may contact. */
const MAX_THIRD_PARTIES = 3;

const siteSlot = (host: string): Slot => ({ key: `check ${siteOf(host)}`, limit: MAX_PER_SITE });
const ALL_CHECKS: Slot = { key: 'checks', limit: MAX_PER_HOUR };

export function createVisitorChecks(options: VisitorChecksOptions): VisitorChecks {
  const { check, limit, reader, onError, answerWithinMs, now } = options;
  const giveUp = new AbortController();
  const running = new Map<Domain, Promise<CheckAnswer>>();
  const reports = new LRUCache<Domain, { report: ReportView; until: number }>({ max: MAX_REPORTS });

  function findReachedLimit(domain: Domain): CheckAnswer | null {
    const hostMs = limit.waitMs([siteSlot(domain), registrableDomainSlot(domain)]);
    if (hostMs > 0) return { kind: 'limited', by: 'host', retryAfterSeconds: Math.ceil(hostMs / 1_000) };
    const allMs = limit.waitMs([ALL_CHECKS]);
    return allMs > 0 ? { kind: 'limited', by: 'all', retryAfterSeconds: Math.ceil(allMs / 1_000) } : null;
  }

  /** Refused when the report names a host that opted out before or after it was made. The facts are what the server itself says. */
  function answerOf({ report, until }: { report: ReportView; until: number }): CheckAnswer {
    const { facts: _facts, ...ours } = report;
    if (namesOptedOutHost(JSON.stringify(ours), reader.optedOut)) return { kind: 'opted-out' };
    return { kind: 'done', report, againAt: until };
  }

  async function run(domain: Domain): Promise<CheckAnswer> {
    try {
      const report = await check(domain, {
        mayContact: contactRule(domain),
        newestVersion: reader.newestRelease()?.version ?? null,
        signal: giveUp.signal,
      });
      const made = { report, until: now() + REPORT_MS };
      reports.set(domain, made);
      return answerOf(made);
    } catch (error) {
      if (!giveUp.signal.aborted) onError(error);
      return { kind: 'failed' };
    } finally {
      running.delete(domain);
    }
  }

  /** Decides once per check and site whether a host is contacted. */
  function contactRule(domain: Domain): (url: URL) => boolean {
    const decided = new Map([[siteOf(domain), true]]);
    return (url) => {
      const host = url.host.replace(/\.(?=:|$)/, '');
      if (reader.optedOut.has(host)) return false;
      const site = siteOf(host);
      const isAllowed =
        decided.get(site) ??
        (decided.size <= MAX_THIRD_PARTIES && limit.admit([registrableDomainSlot(host as Domain)]));
      decided.set(site, isAllowed);
      return isAllowed;
    };
  }

  return {
    async check(domain, countAgainstLimit) {
      // First, so that no cached report is shown either. The request counts against the limit, so that opt-outs cannot be probed quickly.
      if (reader.optedOut.has(domain)) {
        const retryAfterSeconds = await countAgainstLimit();
        return retryAfterSeconds > 0 ? { kind: 'limited', by: 'client', retryAfterSeconds } : { kind: 'opted-out' };
      }
      const found = reports.get(domain);
      if (found !== undefined && found.until > now()) return answerOf(found);
      let started = running.get(domain);
      if (started === undefined) {
        if (running.size >= MAX_RUNNING) return { kind: 'waiting' };
        const refusal = findReachedLimit(domain);
        if (refusal !== null) return refusal;
        const retryAfterSeconds = await countAgainstLimit();
        if (retryAfterSeconds > 0) return { kind: 'limited', by: 'client', retryAfterSeconds };
        // Another request may have started a check meanwhile.
        started = running.get(domain);
      }
      if (started === undefined) {
        if (giveUp.signal.aborted || running.size >= MAX_RUNNING) return { kind: 'waiting' };
        if (!limit.admit([siteSlot(domain), registrableDomainSlot(domain), ALL_CHECKS]))
          return findReachedLimit(domain) ?? { kind: 'waiting' };
        started = run(domain);
        running.set(domain, started);
      }
      const timer = new AbortController();
      const late = delay(answerWithinMs, { kind: 'running' } as const, { signal: timer.signal }).catch(
        () => ({ kind: 'running' }) as const,
      );
      const answer = await Promise.race([started, late]);
      timer.abort();
      return answer;
    },

    async [Symbol.asyncDispose]() {
      giveUp.abort();
      await Promise.all(running.values());
      reader[Symbol.dispose]();
    },
  };
}
