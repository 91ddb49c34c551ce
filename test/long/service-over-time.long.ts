import { describe, test } from 'vitest';
import { runFastDay } from '../process/run-fast-day.ts';
import { checkHistory } from '../simulation/check-history.ts';
import { simulateYear } from '../simulation/simulate-year.ts';
import { visitsPerDay } from '../simulation/visits-per-day.ts';

const MINUTE = 60_000;

describe.concurrent('the service over time', () => {
  test('a year of 500 domains: the cadence holds, no domain starves, each domain due after a downtime is visited once, the history is complete', async ({
    expect,
  }) => {
    using year = await simulateYear({ hosts: 500, seed: 39, exportEveryDays: 0 });
    for (const { kind, perDay, expectedPerDay, hosts } of visitsPerDay(year, 365)) {
      expect(hosts, kind).toBeGreaterThan(2);
      // The first interval of a bulk import is shortened at random, and the downtime removes three days of visits.
      expect(perDay / expectedPerDay, kind).toBeGreaterThan(0.95);
      expect(perDay / expectedPerDay, kind).toBeLessThan(1.1);
    }
    // The simulator moves in steps of 10 minutes.
    expect(year.longestDelayMs).toBeLessThan(30 * MINUTE);
    const { due, drainedMs } = year.afterDowntime;
    expect(due).toBeGreaterThan(80);
    // Each visit advances the simulated clock by 1/20 s. A few more domains become due meanwhile.
    const visits = drainedMs / 50;
    expect(visits).toBeGreaterThanOrEqual(due);
    expect(visits).toBeLessThan(1.05 * due);

    const { changes, differences } = checkHistory(year);
    expect(differences.slice(0, 10)).toEqual([]);
    expect(changes).toBeGreaterThan(500);
  });

  test('a day of 1,200 visits uses constant memory: the heap grows by less than 5 %, the resident memory by less than 10 %', async ({
    expect,
  }) => {
    const steps = await runFastDay({ hosts: 400 });
    expect(steps.reduce((sum, { visits }) => sum + visits, 0)).toBeGreaterThanOrEqual(1_200);
    const [first, last] = [steps[0], steps.at(-1)];
    expect((last?.heapMB ?? 0) / (first?.heapMB ?? 0), JSON.stringify(steps)).toBeLessThan(1.05);
    // The allocator keeps a varying part of what an export frees. A leak also raises the highest value, which varies least.
    const highest = (half: typeof steps) => Math.max(...half.map(({ residentMB }) => residentMB));
    const middle = steps.length / 2;
    expect(highest(steps.slice(middle)) / highest(steps.slice(0, middle)), JSON.stringify(steps)).toBeLessThan(1.1);
  });
});
