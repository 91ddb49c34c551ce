import { expect, test } from 'vitest';
import { killRuns } from '../process/kill-run.ts';

test('run, killed at 9 random times under load, loses no completed visit, records none twice and leaves no domain stuck', async () => {
  const report = await killRuns({ hosts: 400, kills: 9, longestMs: 4_000 });
  expect(report).toMatchObject({ lost: [], duplicated: [], brokenFiles: [], databaseErrors: [], stuck: [] });
  expect(report.atWork).toBeGreaterThanOrEqual(3);
  // The number of visits depends on the random kill times.
  expect(report.logged).toBeGreaterThan(150);
});
