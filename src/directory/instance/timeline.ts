import type { Domain } from '../../model/domain/domain.ts';
import { byKey, COUNTS } from '../../model/facts/fact-leaves.ts';
import type { UsageSample } from '../../model/facts/usage-sample.ts';
import { DAY_MS, type EpochMs } from '../../model/time.ts';
import type { StoreReader } from '../../store/store-reader.ts';
import { dayOf, isoDay, periodsBetween, startOfPeriod, stepOf } from '../periods.ts';
import type { Timeline } from '../schema/timeline.ts';
import { daysOf, TIMELINE_DAYS } from './days.ts';

/** Uptime, response time and counts of an instance over time, as of `at`. */
export function timelineOf(reader: StoreReader, domain: Domain, at: EpochMs): Timeline {
  const from = (dayOf(at) - TIMELINE_DAYS + 1) * DAY_MS;
  return {
    domain,
    days: daysOf(reader.uptimes.visitsOf(domain, { from, at }), at),
    ...countsOf([...reader.usage.of(domain)], dayOf(at)),
  };
}

/** @param samples newest first. */
function countsOf(samples: readonly UsageSample[], today: number): Pick<Timeline, 'step' | 'counts'> {
  const oldest = samples.at(-1);
  if (oldest === undefined) return { step: 'day', counts: [] };
  const first = Math.min(dayOf(oldest.at), today);
  const step = stepOf(first, today);
  const lastByPeriod = new Map<string, UsageSample>();
  for (const sample of samples) {
    const period = isoDay(startOfPeriod(Math.min(dayOf(sample.at), today), step));
    if (!lastByPeriod.has(period)) lastByPeriod.set(period, sample);
  }
  const counts = periodsBetween(first, today, step).map((from) => ({
    from,
    ...byKey(COUNTS, ({ key }) => lastByPeriod.get(from)?.[key] ?? null),
  }));
  return { step, counts };
}
