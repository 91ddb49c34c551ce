import { startCrawlBench } from '../bench/crawl-processes.ts';
import { createFleetHome } from './fleet-home.ts';
import { repository, run } from './run-cli.ts';

/** One day takes under three and a half minutes; even a slow machine then finishes the visits of an hour in time. */
const SPEED = 450;

/** Median resident memory and number of visits for each hour of the day. */
export interface FastDay {
  hours: { medianMB: number; visits: number }[];
}

/** Runs one day of the service against a fleet of 3,000 hosts, in separate processes. */
export async function runFastDay(): Promise<FastDay> {
  using bench = await startCrawlBench({ hosts: 3_000, mix: { loops: 4, 'loops-federation-off': 1 } });
  using home = createFleetHome(bench.fleet, {
    jobs: { crawl: '* * * * * *', export: '*/3 * * * * *' },
  });
  const args = ['--max-semi-space-size=8', `${repository}test/process/fast-day.ts`, home.settingsFile, String(SPEED)];
  const { code, stdout, stderr } = await run(process.execPath, args);
  if (code !== 0) throw new Error(`the day exited with ${code}: ${stderr}`);
  return JSON.parse(stdout) as FastDay;
}
