import { type KillVisitorsReport, killVisitors } from '../process/kill-visitors.ts';

/**
 * `npm run bench -- visitors-killed`: kills workers and child processes, freezes workers, kills the scheduler and restarts PostgreSQL
 * during one crawl by workers and one by child processes, and reports the effects. Exit code 1 when a host was not visited exactly once,
 * two visits of a host overlapped, or a lease stayed.
 */
const byWorkers = await killVisitors({
  ...{ hosts: 3_000, visitors: 'workers', visitsPerSecond: 25 },
  events: { kill: 50, freeze: 5, 'kill scheduler': 10, 'restart PostgreSQL': 5 },
});
const byChildren = await killVisitors({
  ...{ hosts: 1_500, visitors: 'children', visitsPerSecond: 25 },
  events: { kill: 50, 'kill scheduler': 10 },
});
const isRight = (report: KillVisitorsReport) =>
  [report.domains, report.visits].every((count) => count === report.hosts) &&
  [report.due, report.leased, report.ordersLeft, report.overlapping.length].every((count) => count === 0);
for (const report of [byWorkers, byChildren]) {
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  if (!isRight(report)) process.exitCode = 1;
}
process.exit();
