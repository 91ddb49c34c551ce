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

/** Failed visits from `fromHours` ago, with waits from 3 hours doubling to 30 days; newest first. */
function failing(fromHours: number, toHours = 0): TimedVisit[] {
  const visits: TimedVisit[] = [];
  for (let [hoursAgo, wait] = [fromHours, 3]; hoursAgo >= toHours; wait = Math.min(720, wait * 2)) {
    visits.push(ago(hoursAgo, false, wait));
    hoursAgo -= wait;
  }
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

  it('counts a failure as down until the next visit', () => {
    const { day: ofDay } = uptimeOf(
      every(6, 48).map((visit) => ({ ...visit, isUp: visit.at !== now - 12 * hour })),
      now,
    );
    expect(ofDay).toEqual({ share: 0.75, coverage: 1 });
  });

  it('counts 7 days of failures with growing intervals as 7 days down', () => {
    const { day: ofDay, week, month } = uptimeOf([...failing(7 * 24), ...every(6, 31 * 24, true, 7 * 24 + 6)], now);
    expect(ofDay).toEqual({ share: 0, coverage: 1 });
    expect(week).toEqual({ share: 0, coverage: 1 });
    expect(month.coverage).toBe(1);
    expect(month.share).toBeCloseTo(23 / 30, 10);
  });

  it('counts half a month of failures as half a month down', () => {
    const visited = [...every(6, 5 * 24), ...failing(20 * 24, 5 * 24 + 6), ...every(6, 40 * 24, true, 20 * 24 + 6)];
    const { week, month } = uptimeOf(visited, now);
    expect(week).toMatchObject({ coverage: 1 });
    expect(month).toEqual({ share: 0.5, coverage: 1 });
  });

  it('covers a tenth more than the planned wait, for any interval', () => {
    for (const hours of [1, 6, 18, 40]) {
      const { month } = uptimeOf([ago(0), ago(20 * 24, true, hours)], now);
      expect(month.coverage, `every ${hours} h`).toBeCloseTo((hours * 1.1) / (30 * 24), 10);
      expect(uptimeOf(every(hours, 31 * 24), now).month.coverage, `every ${hours} h`).toBe(1);
    }
  });

  it('covers at most two days after a success and thirty after a failure', () => {
    const covered = (isUp: boolean) => uptimeOf([ago(40 * 24, isUp, 90 * 24)], now).month.coverage;
    expect(uptimeOf([ago(29 * 24, true, 720)], now).month.coverage).toBeCloseTo(2 / 30, 10);
    expect(covered(true)).toBe(0);
    expect(covered(false)).toBeCloseTo(20 / 30, 10);
  });

  it('covers twelve hours if no next visit was recorded', () => {
    for (const isUp of [true, false])
      expect(uptimeOf([ago(20, isUp, null)], now).day).toEqual({ share: isUp ? 1 : 0, coverage: 0.5 });
    expect(uptimeOf([ago(20, true, null), ago(26, true, null)], now).day).toMatchObject({ coverage: 16 / 24 });
  });

  it('does not cover three days in which the crawler was down, for a host that was up', () => {
    const { week } = uptimeOf([...every(6, 48), ...every(6, 240, true, 5 * 24)], now);
    expect(week.coverage).toBeCloseTo((48 + 6.6 + 48) / 168, 10);
    expect(week.share).toBe(1);
  });

  it('covers only the planned wait of a down host while the crawler was down', () => {
    const visited = [...every(6, 48), ago(5 * 24, false, 12), ...every(6, 240, true, 5 * 24 + 6)];
    const { week } = uptimeOf(visited, now);
    expect(week.coverage).toBeCloseTo((48 + 13.2 + 48) / 168, 10);
    expect(week.share).toBeCloseTo(96 / (48 + 13.2 + 48), 10);
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
    const { day: ofDay } = uptimeOf([ago(20, true, 10), ago(27, false, 24)], now);
    expect(ofDay).toEqual({ share: 11 / 15, coverage: 15 / 24 });
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

  it('never covers less with one more failure that lasts 30 days, nor more with one more inconclusive visit', () => {
    fc.assert(
      fc.property(visits, anyVisit, (list, added) => {
        fc.pre(list.every(({ at }) => at !== added.at));
        const lastingFailure = { ...added, isUp: added.isUp === null ? null : false, nextVisit: added.at + 30 * day };
        const before = windows(list);
        const after = windows(newestFirst([...list, lastingFailure]));
        for (const [index, { coverage }] of after.entries()) {
          const was = before[index]?.coverage ?? 0;
          expect(added.isUp === null ? coverage <= was : coverage >= was).toBe(true);
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
        // Up to two days, a success covers as much as a failure.
        const short = list.map((visit) => ({
          ...visit,
          nextVisit: visit.nextVisit && Math.min(visit.nextVisit, visit.at + day),
        }));
        const inverse = short.map((visit) => ({ ...visit, isUp: visit.isUp === null ? null : !visit.isUp }));
        const inverseWindows = windows(inverse);
        for (const [index, { share, coverage }] of windows(short).entries()) {
          expect(inverseWindows[index]?.coverage).toBe(coverage);
          if (share !== null) expect(share + (inverseWindows[index]?.share ?? 0)).toBeCloseTo(1, 10);
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
      fc.property(visits, (list) => {
        for (const [index, days] of [1, 7, 30].entries()) {
          let covered = 0;
          let up = 0;
          for (let minutes = 1; minutes <= days * 24 * 60; minutes++) {
            const time = now - minutes * minute;
            const last = list.find(({ at }) => at <= time);
            if (last === undefined || last.isUp === null) continue;
            const maximum = (last.isUp ? 2 : 30) * day;
            const coveredFor =
              last.nextVisit === null ? 12 * hour : Math.min(maximum, (last.nextVisit - last.at) * 1.1);
            if (Math.round(time - last.at) >= Math.round(coveredFor)) continue;
            covered++;
            if (last.isUp) up++;
          }
          const window = windows(list)[index];
          expect(window?.coverage).toBeCloseTo(covered / (days * 24 * 60), 10);
          if (window !== undefined && window.share !== null) expect(window.share).toBeCloseTo(up / covered, 10);
        }
      }),
      { numRuns: 20 },
    );
  });
});
