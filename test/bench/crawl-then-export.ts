import { setFlagsFromString } from 'node:v8';
import { createApp } from '../../src/app/app.ts';
import { crawlAndExport } from '../../src/app/crawl-and-export.ts';
import { progressOn } from '../../src/commands/output/crawl-progress.ts';
import { createLogger } from '../../src/logger.ts';
import { loadSettings } from '../../src/settings/settings.ts';

/** The resources that a crawl used until its export started. */
export interface CrawlStage {
  visited: number;
  crawlPeakMB: number;
  crawlCpuMs: number;
}

// Same as in `src/cli.ts`.
setFlagsFromString('--heap-growing-percent=100');

/** Child process: the command `crawl`, which also prints its peak memory and CPU time at the start of the export. Argument: the settings file. */
const settings = loadSettings({ file: process.argv[2] ?? null, env: {} });
await using app = await createApp(settings, createLogger({ level: 'error', stream: process.stderr }));
let usage: NodeJS.ResourceUsage | undefined;
const exportNow = app.publishing.export.bind(app.publishing);
app.publishing.export = (...args) => {
  usage ??= process.resourceUsage();
  return exportNow(...args);
};
const progress = progressOn(process.stderr, {});
const { report, fault } = await crawlAndExport(app, { ...progress, signal: new AbortController().signal });
if (fault !== null) throw fault;
if (usage === undefined) throw new Error('nothing was exported');
process.stdout.write(
  JSON.stringify({
    visited: report.visited,
    crawlPeakMB: (usage.maxRSS * 1_024) / 1e6,
    crawlCpuMs: (usage.userCPUTime + usage.systemCPUTime) / 1_000,
  } satisfies CrawlStage),
);
