import { expect, test } from 'vitest';
import { killWorkers } from '../process/kill-workers.ts';

test('a crawl by workers visits every domain exactly once, even if workers, the crawling process and PostgreSQL are killed or frozen', async () => {
  const report = await killWorkers({
    ...{ hosts: 300, visitsPerSecond: 25 },
    events: { kill: 3, freeze: 1, 'kill crawl': 1, 'restart PostgreSQL': 1 },
  });
  expect(report).toMatchObject({ domains: 300, visits: 300, mostPerDomain: 1, due: 0, inProgress: 0 });
  expect(report).toMatchObject({ overlapping: [], tasksLeft: 0 });
  expect(report.happened.kill).toBeGreaterThanOrEqual(1);
});
