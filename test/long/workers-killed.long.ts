import { expect, test } from 'vitest';
import { killWorkers, REQUESTS_PER_HOST, WORKER_CONCURRENCY } from '../process/kill-workers.ts';

const CONCURRENCY = 24;

test('a crawl by workers visits every domain exactly once, even if workers, the crawling process and PostgreSQL are killed or frozen; at most what they were visiting is requested again', async () => {
  const report = await killWorkers({
    ...{ hosts: 120, visitsPerSecond: 20, concurrency: CONCURRENCY },
    events: { kill: 2, freeze: 1, 'kill crawl': 1, 'restart PostgreSQL': 1 },
  });
  expect(report).toMatchObject({ domains: 120, visits: 120, mostPerDomain: 1, due: 0, inProgress: 0 });
  expect(report).toMatchObject({ overlapping: [], tasksLeft: 0 });
  const { kill, freeze, 'kill crawl': crawlKills, 'restart PostgreSQL': restarts } = report.happened;
  expect(kill).toBeGreaterThanOrEqual(1);
  const cutOff = (kill + freeze) * WORKER_CONCURRENCY + (crawlKills + restarts) * CONCURRENCY;
  expect(report.repeatedRequests).toBeLessThanOrEqual(cutOff * REQUESTS_PER_HOST);
});
