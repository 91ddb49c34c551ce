import { expect, test } from 'vitest';
import { killRuns, VISITS_BEFORE_KILL } from '../process/kill-run.ts';

test('run, killed at 9 random times under load, loses no completed visit, records none twice and leaves no domain stuck', async () => {
  const report = await killRuns({ hosts: 400, kills: 9, maxWaitMs: 2_500 });
  expect(report).toMatchObject({ lost: [], duplicated: [], brokenFiles: [], databaseErrors: [], stuck: [] });
  // Three of the kills come within 1.5 s of the start, perhaps before the first visit.
  expect(report.killsAtWork).toBeGreaterThanOrEqual(6);
  expect(report.logged).toBeGreaterThanOrEqual(6 * VISITS_BEFORE_KILL);
});
