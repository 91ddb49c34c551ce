import { killWorkers } from '../process/kill-workers.ts';

/**
 * `npm run bench -- workers-killed`: kills and freezes workers, kills the crawling process and restarts PostgreSQL during one crawl, and
 * reports the effects. Exit code 1 when a host was not visited exactly once, two visits of a host overlapped, or a due domain, a
 * domain in progress or a task remained.
 */
const { hosts, domains, visits, due, inProgress, tasksLeft, overlapping, ...rest } = await killWorkers({
  ...{ hosts: 3_000, visitsPerSecond: 25, concurrency: 24 },
  events: { kill: 50, freeze: 5, 'kill crawl': 10, 'restart PostgreSQL': 5 },
});
const report = { hosts, domains, visits, due, inProgress, tasksLeft, overlapping, ...rest };
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
const isRight =
  [domains, visits].every((count) => count === hosts) &&
  [due, inProgress, tasksLeft, overlapping.length].every((count) => count === 0);
process.exit(isRight ? 0 : 1);
