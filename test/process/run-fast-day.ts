import { startCrawlBench } from '../bench/crawl-processes.ts';
import { createFleetHome } from './fleet-home.ts';
import { repository, run } from './run-cli.ts';

/** A day in under three minutes and a half: on a slow machine too, the visits of an hour are over when it is. */
const SPEED = 450;

/** Of each hour of the day: the median of resident memory, and how many visits there were. */
export interface FastDay {
  hours: { medianMB: number; visits: number }[];
}

/** A day of the service against a fleet of 3,000 hosts, each in a process of its own. */
export async function runFastDay(): Promise<FastDay> {
  using bench = await startCrawlBench({ hosts: 3_000, mix: { loops: 4, 'loops-federation-off': 1 } });
  using home = createFleetHome(bench.fleet, {
    jobs: { crawl: '* * * * * *', export: '*/3 * * * * *' },
  });
  const args = ['--max-semi-space-size=8', `${repository}test/process/fast-day.ts`, home.settingsFile, String(SPEED)];
  const { code, stdout, stderr } = await run(process.execPath, args);
  if (code !== 0) throw new Error(`the day ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as FastDay;
}
