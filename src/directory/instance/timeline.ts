import { median } from 'd3-array';
import type { Domain } from '../../model/domain/domain.ts';
import { byKey, COUNTS } from '../../model/facts/fact-leaves.ts';
import type { UsageSample } from '../../model/facts/usage-sample.ts';
import { DAY_MS, type EpochMs } from '../../model/time.ts';
import { MIN_COVERAGE, uptimeSpells } from '../../model/uptime.ts';
import type { StoreReader } from '../../store/store-reader.ts';
import type { TimedVisit } from '../../store/visits/uptimes.ts';
import { roundedShare } from '../formatting.ts';
import { dayOf, isoDay, periodsBetween, startOfPeriod, stepOf } from '../periods.ts';
import type { Timeline, TimelineDay } from '../schema/timeline.ts';

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

/** Number of days in a timeline. */
export const TIMELINE_DAYS = 90;

interface Day {
  observedMs: number;
  upMs: number;
  readonly visits: TimedVisit[];
}

/**
 * Uptime and response time of each of the last {@link TIMELINE_DAYS} days (UTC), oldest first. Uptime follows the rules of
 * {@link uptimeSpells}, as over longer periods.
 *
 * @param visits newest first, from the second last before those days that says something.
 */
export function daysOf(visits: readonly TimedVisit[], at: number): TimelineDay[] {
  const today = dayOf(at);
  const first = today - TIMELINE_DAYS + 1;
  const days = Array.from({ length: TIMELINE_DAYS }, (): Day => ({ observedMs: 0, upMs: 0, visits: [] }));
  for (const visit of visits) days[dayOf(visit.at) - first]?.visits.push(visit);
  for (const { from, to, isUp } of uptimeSpells(visits, at)) {
    for (let day = Math.max(first, dayOf(from)); day <= dayOf(to - 1); day++) {
      const observedMs = Math.min(to, (day + 1) * DAY_MS) - Math.max(from, day * DAY_MS);
      const sums = days[day - first];
      if (sums === undefined || observedMs <= 0) continue;
      sums.observedMs += observedMs;
      if (isUp) sums.upMs += observedMs;
    }
  }
  return days.map((day, index) => {
    const start = (first + index) * DAY_MS;
    return summaryOf(day, first + index, Math.min(DAY_MS, at - start));
  });
}

function summaryOf({ observedMs, upMs, visits }: Day, day: number, lengthMs: number): TimelineDay {
  const coverage = lengthMs <= 0 ? 0 : observedMs / lengthMs;
  const failed = visits.filter(({ isUp }) => isUp === false);
  const durations = visits.filter(({ isUp }) => isUp === true).map(({ durationMs }) => durationMs);
  return {
    day: isoDay(day),
    share: roundedShare(coverage < MIN_COVERAGE ? null : upMs / observedMs),
    coverage: roundedShare(coverage),
    visits: visits.length,
    failed: failed.length,
    reason: failed[0]?.reason ?? null,
    responseMs: durations.length === 0 ? null : Math.round(median(durations) ?? 0),
  };
}
