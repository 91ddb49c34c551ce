import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type UptimeWindow, uptimeOf } from '../../src/model/uptime.ts';
import { day, hour, start } from './facts/sample-visit-facts.ts';

interface TimedVisit {
  at: number;
  isUp: boolean | null;
  nextVisit: number | null;
}

const now = start + 400 * day;

/** A visit `hours` ago, with the next visit planned `waitHours` later; null: unknown. */
function ago(hours: number, isUp: boolean | null = true, waitHours: number | null = 6): TimedVisit {
  const at = now - hours * hour;
  return { at, isUp, nextVisit: waitHours === null ? null : at + waitHours * hour };
}

/** Visits every `hours` hours, from `fromHours` ago to `toHours` ago, each at its planned time; newest first. */
function every(hours: number, fromHours: number, isUp: boolean | null = true, toHours = 0): TimedVisit[] {
  const visits: TimedVisit[] = [];
  for (let hoursAgo = fromHours; hoursAgo >= toHours; hoursAgo -= hours) visits.push(ago(hoursAgo, isUp, hours));
  return visits.reverse();
}

const minute = 60_000;
const anyVisit: fc.Arbitrary<TimedVisit> = fc
  .record({
    minutesAgo: fc.integer({ min: -5 * 24 * 60, max: 70 * 24 * 60 }),
    isUp: fc.constantFrom(true, false, null),
    // A multiple of ten minutes, so that a tenth of it is in whole minutes.
    wait: fc.option(fc.integer({ min: -10, max: 45 * 24 * 6 }).map((tens) => tens * 10 * minute)),
  })
  .map(({ minutesAgo, isUp, wait }) => {
    const at = now - minutesAgo * minute;
    return { at, isUp, nextVisit: wait === null ? null : at + wait };
  });
const visits = fc.array(anyVisit, { maxLength: 200 }).map(newestFirst);

function newestFirst(list: readonly TimedVisit[]): TimedVisit[] {
  return [...list].sort((a, b) => b.at - a.at);
}

function windows(list: Iterable<TimedVisit>): UptimeWindow[] {
  const { day: ofDay, week, month } = uptimeOf(list, now);
  return [ofDay, week, month];
}

describe('uptimeOf', () => {
  it('is 1 for a host that was covered throughout and always up', () => {
    const whole = { share: 1, coverage: 1 };
    expect(uptimeOf(every(6, 31 * 24), now)).toEqual({ day: whole, week: whole, month: whole });
  });

  it('is unknown, not 0, without visits', () => {
    const unknown = { share: null, coverage: 0 };
    expect(uptimeOf([], now)).toEqual({ day: unknown, week: unknown, month: unknown });
  });

  it('ignores one failure between two successes, and does not observe the time after it', () => {
    const { day: ofDay } = uptimeOf(
      every(6, 48).map((visit) => ({ ...visit, isUp: visit.at !== now - 12 * hour })),
      now,
    );
    expect(ofDay).toEqual({ share: 1, coverage: 0.75 });
  });

  it('has an outage of two failures begin and end in the middle of two visits', () => {
    const visited = [...every(6, 6), ago(8, false, 2), ago(9, false, 1), ...every(6, 48, true, 12)].sort(
      (one, other) => other.at - one.at,
    );
    // From 10.5 h ago to 7 h ago.
    expect(uptimeOf(visited, now).day).toEqual({ share: 20.5 / 24, coverage: 1 });
  });

  it('confirms a failure by another one although an inconclusive visit lies between them', () => {
    const visited = [ago(6, false), ago(12, null), ago(18, false), ...every(6, 48, true, 24)];
    expect(uptimeOf(visited, now).day).toEqual({ share: 3 / 18, coverage: 0.75 });
  });

  it('does not observe the time after a failure that is the last visit', () => {
    expect(uptimeOf([ago(6, false), ...every(6, 48, true, 12)], now).day).toEqual({ share: 1, coverage: 0.75 });
  });

  it('counts half a month of failures as half a month down', () => {
    const visited = [
      ...every(6, 5 * 24),
      ...every(6, 20 * 24, false, 5 * 24 + 6),
      ...every(6, 40 * 24, true, 20 * 24 + 6),
    ];
    const { week, month } = uptimeOf(visited, now);
    expect(week).toEqual({ share: (5 * 24 + 3) / 168, coverage: 1 });
    expect(month).toEqual({ share: 0.5, coverage: 1 });
  });

  it('observes the time between two visits if the second is at most a tenth of the wait late, and at least ten minutes', () => {
    const coveredHours = (gapHours: number, waitHours: number) =>
      uptimeOf([ago(0, null), ago(gapHours, true, waitHours)], now).week.coverage * 168;
    expect(coveredHours(44, 40)).toBeCloseTo(44, 10);
    expect(coveredHours(44.1, 40)).toBe(0);
    expect(coveredHours(7 / 6, 1)).toBeCloseTo(7 / 6, 10);
    expect(coveredHours(1.2, 1)).toBe(0);
  });

  it('takes a wait of twelve hours for planned if no next visit was recorded', () => {
    expect(uptimeOf([ago(12, true, null)], now).day).toEqual({ share: 1, coverage: 0.5 });
    expect(uptimeOf([ago(14, true, null)], now).day).toEqual({ share: null, coverage: 0 });
  });

  it('does not observe three days in which the crawler was off, whatever the host did', () => {
    for (const isUp of [true, false]) {
      const { week } = uptimeOf([...every(6, 48), ...every(6, 240, isUp, 5 * 24)], now);
      expect(week.coverage).toBeCloseTo((48 + 48) / 168, 10);
      expect(week.share).toBe(isUp ? 1 : 0.5);
    }
  });

  it('has a share only if at least half is covered', () => {
    const since = (hours: number) => uptimeOf([ago(hours, true, 24)], now).day;
    expect(since(12)).toEqual({ share: 1, coverage: 0.5 });
    expect(since(11)).toEqual({ share: null, coverage: 11 / 24 });
  });

  it('measures an instance known for three days against the whole week and month', () => {
    const { day: ofDay, week, month } = uptimeOf(every(6, 72), now);
    expect(ofDay).toEqual({ share: 1, coverage: 1 });
    expect(week).toEqual({ share: null, coverage: 72 / 168 });
    expect(month).toEqual({ share: null, coverage: 0.1 });
  });

  it('does not cover the time after an inconclusive visit', () => {
    const { day: ofDay } = uptimeOf(
      every(6, 48).map((visit) => (visit.at === now - 12 * hour ? { ...visit, isUp: null } : visit)),
      now,
    );
    expect(ofDay).toEqual({ share: 1, coverage: 0.75 });
  });

  it('counts the part inside the window of a visit before it', () => {
    const { day: ofDay } = uptimeOf([ago(20, true, 20), ago(27, false, 24), ago(28, false, 1)], now);
    // Up since the middle of the two visits, 23.5 h ago.
    expect(ofDay).toEqual({ share: 23.5 / 24, coverage: 1 });
  });

  it('ignores visits in the future', () => {
    const ahead: TimedVisit[] = [ago(-90 * 24, false), ago(-1, false)];
    expect(uptimeOf([...ahead, ...every(6, 48)], now)).toEqual(uptimeOf(every(6, 48), now));
  });

  it('stops reading at visits too old to matter', () => {
    let visitsRead = 0;
    let isClosed = false;
    function* stored(): Generator<TimedVisit> {
      try {
        for (const visit of every(6, 400 * 24)) {
          visitsRead++;
          yield visit;
        }
      } finally {
        isClosed = true;
      }
    }
    uptimeOf(stored(), now);
    // Only the newest visit older than a month can cover part of it.
    expect(visitsRead).toBe(30 * 4 + 1);
    expect(isClosed).toBe(true);
  });

  it('keeps share and coverage within 0 and 1 for any visits', () => {
    fc.assert(
      fc.property(visits, (list) => {
        for (const { share, coverage } of windows(list)) {
          expect(coverage).toBeGreaterThanOrEqual(0);
          expect(coverage).toBeLessThanOrEqual(1);
          expect(share === null).toBe(coverage < 0.5);
          if (share !== null) expect(share >= 0 && share <= 1).toBe(true);
        }
      }),
    );
  });

  it('is exactly 1 if every conclusive visit found the host up and at least half is covered', () => {
    fc.assert(
      fc.property(visits, (list) => {
        const allUp = list.map((visit) => ({ ...visit, isUp: visit.isUp === null ? null : true }));
        for (const { share, coverage } of windows(allUp)) expect(share).toBe(coverage >= 0.5 ? 1 : null);
      }),
    );
  });

  it('divides covered time into up and down', () => {
    fc.assert(
      fc.property(visits, (list) => {
        // Without single failures, which say nothing while single successes do.
        const doubled = newestFirst(list).flatMap((visit) => [visit, { ...visit }]);
        const inverse = doubled.map((visit) => ({ ...visit, isUp: visit.isUp === null ? null : !visit.isUp }));
        const inverseWindows = windows(inverse);
        for (const [index, { share, coverage }] of windows(doubled).entries()) {
          expect(inverseWindows[index]?.coverage).toBeCloseTo(coverage, 10);
          if (share !== null && inverseWindows[index]?.share != null)
            expect(share + inverseWindows[index].share).toBeCloseTo(1, 10);
        }
      }),
    );
  });

  it('covers nothing with inconclusive visits', () => {
    fc.assert(
      fc.property(visits, (list) => {
        const inconclusive = list.map((visit) => ({ ...visit, isUp: null }));
        for (const window of windows(inconclusive)) expect(window).toEqual({ share: null, coverage: 0 });
      }),
    );
  });

  it('agrees with a minute-by-minute count', () => {
    fc.assert(
      fc.property(visits, (drawn) => {
        // At even minutes, so that the middle of two visits is a whole minute; one visit at a time.
        const even = drawn.map((visit) => ({ ...visit, at: visit.at - (visit.at % (2 * minute)) }));
        const list = even.filter(({ at }, index) => even[index - 1]?.at !== at);
        const past = list.filter(({ at }) => at <= now);
        const conclusive = past.filter(({ isUp }) => isUp !== null);
        const observed = (visit: TimedVisit) => {
          const index = conclusive.indexOf(visit);
          const neighbours = [conclusive[index - 1], conclusive[index + 1]];
          return visit.isUp === false && neighbours.every((other) => other?.isUp !== false) ? null : visit.isUp;
        };
        for (const [index, days] of [1, 7, 30].entries()) {
          let covered = 0;
          let up = 0;
          for (let minutes = 1; minutes <= days * 24 * 60; minutes++) {
            const time = now - minutes * minute;
            const [next, last] = [past.findLast(({ at }) => at > time), past.find(({ at }) => at <= time)];
            if (last === undefined || observed(last) === null) continue;
            const until = next?.at ?? now;
            const wait = last.nextVisit === null ? 12 * hour : last.nextVisit - last.at;
            if (until - last.at > wait + Math.max(wait / 10, 10 * minute)) continue;
            covered++;
            const isChanged = next !== undefined && observed(next) !== null && observed(next) !== observed(last);
            if (isChanged && time >= (last.at + until) / 2 ? observed(next) : observed(last)) up++;
          }
          const window = windows(list)[index];
          expect(window?.coverage).toBeCloseTo(covered / (days * 24 * 60), 10);
          if (window !== undefined && window.share !== null) expect(window.share).toBeCloseTo(up / covered, 10);
        }
      }),
      { numRuns: 8 },
    );
  });
});
