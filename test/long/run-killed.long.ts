import { expect, test } from 'vitest';
import { killRuns, VISITS_BEFORE_KILL } from '../process/kill-run.ts';

test('run, killed at 4 random times under load, loses no completed visit, records none twice and leaves no domain stuck', async () => {
  const report = await killRuns({ hosts: 120, kills: 4, maxWaitMs: 1_000 });
  expect(report).toMatchObject({ lost: [], duplicated: [], brokenFiles: [], databaseErrors: [], stuck: [] });
  // One of the kills comes within 1.5 s of the start, perhaps before the first visit.
  expect(report.killsAtWork).toBeGreaterThanOrEqual(3);
  expect(report.logged).toBeGreaterThanOrEqual(3 * VISITS_BEFORE_KILL);
});
