import { killCrawl } from '../process/kill-crawl.ts';
import { killRuns } from '../process/kill-run.ts';

/**
 * `npm run bench -- kill [kills] [hosts]`: kills the service, then crawls, at random times under load and reports the effects. Exit code 1
 * when anything was lost, duplicated, broken or stuck.
 */
const kills = Number(process.argv[2] ?? 200);
const hosts = Number(process.argv[3] ?? 400);
const startedAt = performance.now();
const printElapsed = () => process.stdout.write(`${((performance.now() - startedAt) / 1_000).toFixed(0)} s\n`);

const report = await killRuns({
  hosts,
  kills,
  maxWaitMs: 4_000,
  onKill: (kill, { logged, visits }) => {
    if (kill % 10 === 9) process.stdout.write(`${kill + 1} kills, ${logged} visits logged, ${visits} recorded\n`);
  },
});
process.stdout.write(`run: ${JSON.stringify(report, null, 2)}\n`);
printElapsed();
const { lost, duplicated, brokenFiles, databaseErrors, stuck } = report;
if ([lost, duplicated, brokenFiles, databaseErrors, stuck].some((list) => list.length > 0)) process.exitCode = 1;

// A crawl makes about three requests to a host. Throws when anything is wrong.
const { visitsAtKills, ...crawled } = await killCrawl({ hosts, kills, maxRequests: Math.floor((3 * hosts) / kills) });
process.stdout.write(`crawl: ${JSON.stringify({ ...crawled, visitsAtKills: visitsAtKills.join(' ') }, null, 2)}\n`);
printElapsed();
