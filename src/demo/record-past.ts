import { createApp } from '../app/app.ts';
import { createNetwork, visitContextOf } from '../app/network.ts';
import type { Logger } from '../logger.ts';
import type { Domain } from '../model/domain/domain.ts';
import { DAY_MS, HOUR_MS } from '../model/time.ts';
import type { Visit } from '../model/visit.ts';
import type { Settings } from '../settings/settings.ts';
import { createPast } from './past.ts';

const WEEK_HOURS = 168;
/** Visits become more frequent towards the end: a year of visits every six hours would take a minute to record. */
const PHASES = [
  { fromDaysAgo: 370, everyHours: 72 },
  { fromDaysAgo: 91, everyHours: 24 },
  { fromDaysAgo: 4, everyHours: 6 },
] as const;
const STARTS_DAYS_AGO = PHASES[0].fromDaysAgo;
const VISITS_AT_ONCE = 40;

/**
 * Visits every host, invents a year that leads to the results, and records it: the crawler runs with a clock in the past, and takes the
 * result of each visit from memory. At the end every domain is due. Returns the number of recorded visits.
 *
 * @throws the reason of `signal` when that aborts.
 */
export async function recordPast(
  settings: Settings,
  logger: Logger,
  { domains, now, signal }: { domains: readonly Domain[]; now: number; signal: AbortSignal },
): Promise<number> {
  const startsAt = now - STARTS_DAYS_AGO * DAY_MS;
  const past = createPast(await visitAll(settings, domains, signal), { startsAt, endsAt: now });
  let at = startsAt;
  let visits = 0;
  const clock = () => at;
  await using app = await createApp(settings, logger, {
    now: clock,
    clock,
    identifier: {
      resolve: async (domain) => past.visit(domain, at),
      identify: () => Promise.reject(new Error('visits of the past are answered from memory')),
      cancelAll: () => {},
    },
    connectivity: { isHostAtFault: async () => true, hasOtherAnswered: () => true },
  });
  app.store.domains.enter(past.found(0, startsAt), startsAt);
  for (const [index, { everyHours }] of PHASES.entries()) {
    app.applyReloadable({ ...settings, cadence: { ...settings.cadence, ...cadenceOf(everyHours) } });
    const end = now - (PHASES[index + 1]?.fromDaysAgo ?? 0) * DAY_MS;
    for (const step = everyHours * HOUR_MS; at + step <= end; at += step) {
      signal.throwIfAborted();
      app.store.domains.enter(past.found(at - step, at), at);
      await app.crawl({ signal, onCompleted: () => visits++ });
    }
  }
  signal.throwIfAborted();
  app.store.domains.requestVisit(domains, now);
  return visits;
}

/** Makes Loops servers due at every step, also after a failed visit, so that their history has no gaps. */
function cadenceOf(everyHours: number): Partial<Settings['cadence']> {
  return {
    jitter: 0,
    loopsHours: everyHours,
    confirmMinutes: everyHours * 60,
    downFirstDayHours: everyHours,
    downHours: everyHours,
    declinedInstanceHours: everyHours,
    rateLimitedHours: WEEK_HOURS,
  };
}

/** Visits every host once, and records nothing. */
async function visitAll(settings: Settings, domains: readonly Domain[], signal: AbortSignal): Promise<Visit[]> {
  const { identifier } = createNetwork(settings, { now: Date.now, clock: () => performance.now() });
  const waiting = [...domains];
  const visits: Visit[] = [];
  const work = async () => {
    for (let domain = waiting.pop(); domain !== undefined; domain = waiting.pop()) {
      signal.throwIfAborted();
      // Without an address, this is already the result of the visit.
      const resolved = await identifier.resolve(domain);
      visits.push('verdict' in resolved ? resolved : await identifier.identify(resolved, visitContextOf(settings)));
    }
  };
  try {
    await Promise.all(Array.from({ length: VISITS_AT_ONCE }, work));
  } finally {
    identifier.cancelAll();
  }
  return visits;
}
