import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { reportView } from '../check/report-view.ts';
import { addressKey, type Slot } from '../crawl/host-limits.ts';
import type { HourlyLimit } from '../crawl/hourly-limit.ts';
import { registrableDomainSlot } from '../crawl/third-party-limits.ts';
import type { Domain } from '../model/domain/domain.ts';
import { siteOf } from '../model/domain/registrable-domain.ts';
import { namesOptedOutHost, type OptOutSet } from '../model/opt-outs/opt-out-names.ts';
import { type Clock, type EpochMs, MINUTE_MS } from '../model/time.ts';
import type { ReportView } from '../report/view.ts';
import type { Crawler } from '../service/crawler.ts';
import type { CheckAnswer, CheckForUser } from '../site/check/check-answer.ts';
import type { CrawlerState } from '../store/crawler.ts';
import { checkForVisitor } from './check.ts';

/** Checks servers for visitors of the pages, a few at once and within limits per hour. Nothing is stored. */
export interface VisitorChecks extends AsyncDisposable {
  check: CheckForUser;
}

export interface VisitorChecksOptions {
  check: (
    domain: Domain,
    options: {
      mayContact: (url: URL) => boolean;
      mayConnect: (address: string) => boolean;
      newestVersion: string | null;
      signal: AbortSignal;
    },
  ) => Promise<ReportView>;
  /** Counts checks together with submissions and the contacts that visits make with third-party hosts. */
  limit: HourlyLimit;
  reader: { readonly optOuts: OptOutSet; readonly crawler: Pick<CrawlerState, 'newestRelease'> } & Disposable;
  onError: (error: unknown) => void;
  /** How long an answer waits for the report, in milliseconds. */
  answerWithinMs: number;
  now: () => EpochMs;
  clock: Clock;
}

interface RunningCheck {
  readonly answer: Promise<CheckAnswer>;
  /** By the clock. */
  readonly startedAt: number;
}

const MAX_RUNNING = 3;
/** How long a report is cached. Meanwhile, a request for the same domain starts no other check. */
const REPORT_MS = 10 * MINUTE_MS;
const MAX_REPORTS = 500;
/** Checks of one site per hour. */
const MAX_PER_SITE = 6;
/** Checks per hour that may contact one address (IPv6: one /64), however many names lead to it. */
const MAX_PER_ADDRESS = 10;
/** Addresses that one check may look at: eight of each family for its host, and for each of the other sites. */
const MAX_ADDRESSES = 64;
/** All checks per hour; each sends at most 40 requests. */
const MAX_PER_HOUR = 120;
/** Hosts of other sites that one check may contact. */
const MAX_THIRD_PARTIES = 3;

const addressSlot = (key: string): Slot => ({ key: `check address ${key}`, limit: MAX_PER_ADDRESS });
const checkedSiteSlot = (host: string): Slot => ({ key: `check ${siteOf(host)}`, limit: MAX_PER_SITE });
const ALL_CHECKS: Slot = { key: 'checks', limit: MAX_PER_HOUR };

export function createVisitorChecks(options: VisitorChecksOptions): VisitorChecks {
  const { check, limit, reader, onError, answerWithinMs, now, clock } = options;
  const giveUp = new AbortController();
  const running = new Map<Domain, RunningCheck>();
  const reports = new LRUCache<Domain, { report: ReportView; madeAt: number; until: number }>({ max: MAX_REPORTS });

  function findReachedLimit(domain: Domain): CheckAnswer | null {
    const hostMs = limit.waitMs([checkedSiteSlot(domain), registrableDomainSlot(domain)]);
    if (hostMs > 0) return { kind: 'limited', by: 'host', retryAfterSeconds: Math.ceil(hostMs / 1_000) };
    const allMs = limit.waitMs([ALL_CHECKS]);
    return allMs > 0 ? { kind: 'limited', by: 'all', retryAfterSeconds: Math.ceil(allMs / 1_000) } : null;
  }

  /** Refused when the report names a host that opted out before or after it was made. The facts are what the server itself says. */
  function answerOf({ report, until }: { readonly report: ReportView; readonly until: number }): CheckAnswer {
    const { facts: _facts, ...ours } = report;
    if (namesOptedOutHost(JSON.stringify(ours), reader.optOuts)) return { kind: 'opted-out' };
    return { kind: 'done', report, againAt: until };
  }

  async function run(domain: Domain): Promise<CheckAnswer> {
    const addresses = addressRule();
    try {
      const report = await check(domain, {
        mayContact: contactRule(domain),
        mayConnect: addresses.mayConnect,
        newestVersion: reader.crawler.newestRelease()?.version ?? null,
        signal: giveUp.signal,
      });
      // The report would take the refused address for a fault of the server.
      const waitMs = addresses.waitMs();
      if (waitMs !== null) return { kind: 'limited', by: 'host', retryAfterSeconds: Math.ceil(waitMs / 1_000) };
      const made = { report, madeAt: clock(), until: now() + REPORT_MS };
      reports.set(domain, made);
      return answerOf(made);
    } catch (error) {
      if (!giveUp.signal.aborted) onError(error);
      return { kind: 'failed' };
    } finally {
      running.delete(domain);
    }
  }

  /** Decides once per check and address whether it is contacted; `waitMs` is null while none was refused. */
  function addressRule() {
    const decided = new Map<string, boolean>();
    const refused: Slot[] = [];
    return {
      mayConnect(address: string): boolean {
        const key = addressKey(address);
        const isAllowed = decided.get(key) ?? (decided.size < MAX_ADDRESSES && limit.count([addressSlot(key)]));
        if (!isAllowed) refused.push(addressSlot(key));
        if (decided.size < MAX_ADDRESSES) decided.set(key, isAllowed);
        return isAllowed;
      },
      waitMs: () => (refused.length === 0 ? null : Math.max(1_000, limit.waitMs(refused))),
    };
  }

  /** Decides once per check and site whether a host is contacted. */
  function contactRule(domain: Domain): (url: URL) => boolean {
    const decided = new Map([[siteOf(domain), true]]);
    return (url) => {
      const host = url.host.replace(/\.(?=:|$)/, '');
      if (reader.optOuts.has(host)) return false;
      const site = siteOf(host);
      const isAllowed =
        decided.get(site) ??
        (decided.size <= MAX_THIRD_PARTIES && limit.count([registrableDomainSlot(host as Domain)]));
      decided.set(site, isAllowed);
      return isAllowed;
    };
  }

  return {
    async check(domain, countAgainstLimit) {
      // First, so that no cached report is shown either. The request counts against the limit, so that opt-outs cannot be probed quickly.
      if (reader.optOuts.has(domain)) {
        const retryAfterSeconds = await countAgainstLimit();
        return retryAfterSeconds > 0 ? { kind: 'limited', by: 'client', retryAfterSeconds } : { kind: 'opted-out' };
      }
      const found = reports.get(domain);
      if (found !== undefined && clock() - found.madeAt < REPORT_MS) return answerOf(found);
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
        if (!limit.count([checkedSiteSlot(domain), registrableDomainSlot(domain), ALL_CHECKS]))
          return findReachedLimit(domain) ?? { kind: 'waiting' };
        started = { answer: run(domain), startedAt: clock() };
        running.set(domain, started);
      }
      const timer = new AbortController();
      const late = delay(answerWithinMs, null, { signal: timer.signal }).catch(() => null);
      const answer = await Promise.race([started.answer, late]);
      timer.abort();
      return answer ?? { kind: 'running', seconds: Math.round((clock() - started.startedAt) / 1_000) };
    },

    async [Symbol.asyncDispose]() {
      giveUp.abort();
      await Promise.all([...running.values()].map(({ answer }) => answer));
      reader[Symbol.dispose]();
    },
  };
}

/** How long the page of a check waits for the report before it shows that the check is running. */
const CHECK_ANSWER_MS = 2_500;

/** The checks that visitors of the pages of a running crawler can start. */
export function createChecks(app: Crawler): VisitorChecks {
  return createVisitorChecks({
    check: async (domain, options) => reportView(await checkForVisitor(app.settings, domain, options)),
    limit: app.hourlyLimit,
    reader: app.store.reader(),
    onError: (err) => app.logger.error({ err }, 'a check for a visitor failed because of a bug'),
    answerWithinMs: CHECK_ANSWER_MS,
    now: Date.now,
    clock: () => performance.now(),
  });
}
