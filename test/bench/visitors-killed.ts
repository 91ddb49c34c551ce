import { type KillVisitors, killVisitors } from '../process/kill-visitors.ts';

/**
 * `npm run bench -- visitors-killed`: kills workers and child processes, freezes workers, kills the crawling process and restarts PostgreSQL
 * during one crawl by workers and one by child processes, and reports the effects. Exit code 1 when a host was not visited exactly once,
 * two visits of a host overlapped, or a due domain, a lease or a task remained.
 */
const crawls: KillVisitors[] = [
  {
    ...{ hosts: 3_000, visitors: 'workers', visitsPerSecond: 25 },
    events: { kill: 50, freeze: 5, 'kill crawl': 10, 'restart PostgreSQL': 5 },
  },
  { ...{ hosts: 1_500, visitors: 'children', visitsPerSecond: 25 }, events: { kill: 50, 'kill crawl': 10 } },
];
for (const crawl of crawls) {
  const { hosts, domains, visits, due, leased, tasksLeft, overlapping, ...rest } = await killVisitors(crawl);
  const report = { visitors: crawl.visitors, hosts, domains, visits, due, leased, tasksLeft, overlapping, ...rest };
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  const isRight =
    [domains, visits].every((count) => count === hosts) &&
    [due, leased, tasksLeft, overlapping.length].every((count) => count === 0);
  if (!isRight) process.exitCode = 1;
}
process.exit();
