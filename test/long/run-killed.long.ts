import { expect, test } from 'vitest';
import { killRuns } from '../process/kill-run.ts';

test('run killed at 20 random moments under load loses no completed visit, records none twice, and leaves nothing stuck', async () => {
  const report = await killRuns({ hosts: 400, kills: 20, longestMs: 4_000 });
  expect(report).toMatchObject({ lost: [], twice: [], brokenFiles: [], unsound: [], stuck: [] });
  expect(report.atWork).toBeGreaterThanOrEqual(8);
  // How many come depends on the moments, which are random.
  expect(report.logged).toBeGreaterThan(400);
});
