import { expect, test } from 'vitest';
import { killWorkers, REQUESTS_PER_HOST, WORKER_CONCURRENCY } from './kill-workers.ts';

const kills = 8;

test('when workers are killed, every host is visited exactly once, and at most what they were visiting is requested again', async () => {
  const report = await killWorkers({ hosts: 400, visitsPerSecond: 15, events: { kill: kills } });
  expect(report).toMatchObject({
    ...{ happened: { kill: kills }, domains: 400, visits: 400, mostPerDomain: 1 },
    ...{ due: 0, inProgress: 0, overlapping: [], tasksLeft: 0 },
  });
  expect(report.repeatedRequests).toBeLessThanOrEqual(kills * WORKER_CONCURRENCY * REQUESTS_PER_HOST);
}, 180_000);
