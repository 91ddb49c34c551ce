import { setTimeout as delay } from 'node:timers/promises';
import type { HourlyLimit } from '../crawl/hourly-limit.ts';
import { registrableDomainSlot, siteSlot, type ThirdPartyLimits } from '../crawl/third-party-limits.ts';
import type { SubmissionResult } from '../directory/submit.ts';
import type { Domain } from '../model/domain/domain.ts';
import { registrableDomainOf } from '../model/domain/registrable-domain.ts';
import { isCutByOurLimits } from '../model/reason.ts';
import { type EpochMs, HOUR_MS } from '../model/time.ts';
import type { Visit } from '../model/visit.ts';
import type { Store } from '../store/store.ts';

export interface SubmissionsOptions {
  store: Pick<Store, 'optOuts' | 'domains'>;
  /** Counts submissions together with the contacts that visits make with third-party hosts. */
  hourlyLimit: HourlyLimit;
  thirdPartyLimits: Pick<ThirdPartyLimits, 'visitAllowedAt'>;
  /** Makes the crawler visit requested domains now. */
  wake: () => void;
  isOffline: () => boolean;
  /** How long `submit` waits for the visit, in milliseconds. */
  answerWithinMs: number;
  now: () => EpochMs;
}

const MAX_WAITING = 100;
const OFFLINE = 'This crawler is offline, so the domain was not visited. No failure was recorded.';
const CUT = 'The domain needs a third-party host whose hourly limit of contacts is reached. It will be visited later.';
const NOT_VISITED = 'The domain could not be visited now. No failure was recorded.';

/** Domains that visitors of the pages submit: each waits for its visit as a domain requested by a user does, within limits per hour. */
export class Submissions implements Disposable {
  readonly #options: SubmissionsOptions;
  /** Submitted domains whose visit was not recorded yet. */
  readonly #waiting = new Map<Domain, PromiseWithResolvers<Visit | null> & { readonly since: number }>();

  constructor(options: SubmissionsOptions) {
    this.#options = options;
  }

  async submit(domain: Domain): Promise<SubmissionResult> {
    const { store, hourlyLimit, thirdPartyLimits, wake, isOffline, now } = this.#options;
    if (store.optOuts.has(domain)) {
      this.#waiting.delete(domain);
      return { kind: 'opted-out' };
    }
    const running = this.#waiting.get(domain);
    if (running !== undefined) return this.#answer(running.promise);
    const allowedAt = thirdPartyLimits.visitAllowedAt(domain);
    if (allowedAt !== null) return { kind: 'recent', againAt: allowedAt };
    const refusal = this.#findRefusal(domain);
    if (refusal !== null) return refusal;
    if (isOffline()) return { kind: 'unvisited', why: OFFLINE };
    if (!hourlyLimit.count([siteSlot(domain), registrableDomainSlot(domain)]))
      return { kind: 'busy', why: 'Too many hosts were contacted within the last hour.', retryAfterSeconds: 60 };
    const visit = { ...Promise.withResolvers<Visit | null>(), since: now() };
    this.#waiting.set(domain, visit);
    try {
      store.domains.requestVisit([domain], now(), { why: 'a visitor submitted it', origin: 'submission' });
    } catch (error) {
      this.#waiting.delete(domain);
      throw error;
    }
    wake();
    return this.#answer(visit.promise);
  }

  /** Answers the submissions that waited for a recorded visit. */
  complete(visit: Visit): void {
    this.#waiting.get(visit.domain)?.resolve(visit);
    this.#waiting.delete(visit.domain);
  }

  /** Answers all waiting submissions: no visit is coming soon. Their domains may be submitted again at once. */
  abandon(): void {
    for (const [domain, { resolve }] of this.#waiting) {
      this.#options.hourlyLimit.revoke([siteSlot(domain), registrableDomainSlot(domain)]);
      resolve(null);
    }
    this.#waiting.clear();
  }

  [Symbol.dispose](): void {
    this.abandon();
  }

  async #answer(visited: Promise<Visit | null>): Promise<SubmissionResult> {
    const { answerWithinMs, isOffline } = this.#options;
    const timer = new AbortController();
    const late = delay(answerWithinMs, 'late' as const, { signal: timer.signal }).catch(() => 'late' as const);
    const visit = await Promise.race([visited, late]);
    timer.abort();
    if (visit === 'late') return { kind: 'visiting' };
    if (visit === null) return { kind: 'unvisited', why: isOffline() ? OFFLINE : NOT_VISITED };
    return isCutByOurLimits(visit.reason) ? { kind: 'busy', why: CUT, retryAfterSeconds: 3_600 } : { kind: 'visited' };
  }

  /** The refusal when a limit is reached; null below the limits. */
  #findRefusal(domain: Domain): SubmissionResult | null {
    const slot = registrableDomainSlot(domain);
    const waitMs = this.#options.hourlyLimit.waitMs([slot]);
    if (waitMs > 0) {
      const why = `${slot.limit} hosts of ${registrableDomainOf(domain)} were submitted or contacted within the last hour.`;
      return { kind: 'busy', why, retryAfterSeconds: Math.ceil(waitMs / 1_000) };
    }
    // A visit that never comes, for example because the domain opted out, must not keep its place.
    const longAgo = this.#options.now() - HOUR_MS;
    for (const [waiting, { since }] of this.#waiting) if (since < longAgo) this.#waiting.delete(waiting);
    if (this.#waiting.size < MAX_WAITING) return null;
    return { kind: 'busy', why: 'Too many domains are waiting.', retryAfterSeconds: 60 };
  }
}
