import { startCrawlBench } from '../bench/crawl-processes.ts';
import { createFleetHome } from './fleet-home.ts';
import { repository, run } from './run-cli.ts';

/** Measurements of one three-hour step of the simulated day. */
export interface DayStep {
  /** JavaScript heap and external memory. */
  heapMB: number;
  residentMB: number;
  visits: number;
}

/** Runs one day of the service against a fleet, in separate processes. */
export async function runFastDay({ hosts }: { hosts: number }): Promise<DayStep[]> {
  using bench = await startCrawlBench({ hosts, mix: { loops: 4, 'loops-federation-off': 1 } });
  // `fast-day.ts` starts the exports itself, so the cron expression must not.
  using home = createFleetHome(bench.fleet, { jobs: { crawl: '* * * * * *', export: '0 0 1 1 *' } });
  const { code, stdout, stderr } = await run(
    process.execPath,
    ['--max-semi-space-size=8', `${repository}test/process/fast-day.ts`, home.settingsFile],
    // With fixed thresholds, glibc returns freed memory to the system instead of keeping a varying part.
    { env: { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072', MALLOC_MMAP_THRESHOLD_: '131072' } },
  );
  if (code !== 0) throw new Error(`the day exited with ${code}: ${stderr}`);
  return JSON.parse(stdout) as DayStep[];
}
