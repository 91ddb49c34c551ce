import { expect, test } from 'vitest';
import { checkHistory } from '../simulation/check-history.ts';
import { simulateYear } from '../simulation/simulate-year.ts';
import { visitsPerDay } from '../simulation/visits-per-day.ts';

const MINUTE = 60_000;

test('a year of 100 domains: the cadence holds, no domain starves, each domain due after a downtime is visited once, the history is complete', async () => {
  using year = await simulateYear({ hosts: 100, seed: 39, exportEveryDays: 0 });
  for (const { kind, perDay, expectedPerDay, hosts } of visitsPerDay(year, 365)) {
    expect(hosts, kind).toBeGreaterThan(0);
    // The first interval of a bulk import is shortened at random, and the downtime removes three days of visits.
    expect(perDay / expectedPerDay, kind).toBeGreaterThan(0.95);
    expect(perDay / expectedPerDay, kind).toBeLessThan(1.1);
  }
  // The simulator moves in steps of 10 minutes.
  expect(year.longestDelayMs).toBeLessThan(30 * MINUTE);
  const { due, drainedMs } = year.afterDowntime;
  expect(due).toBeGreaterThan(10);
  // Each visit advances the simulated clock by 1/20 s. A few more domains become due meanwhile.
  const visits = drainedMs / 50;
  expect(visits).toBeGreaterThanOrEqual(due);
  expect(visits).toBeLessThan(1.05 * due);

  const { changes, differences } = checkHistory(year);
  expect(differences.slice(0, 10)).toEqual([]);
  expect(changes).toBeGreaterThan(100);
});
