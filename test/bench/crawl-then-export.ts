import { createApp, createLogger } from '../../src/app/app.ts';
import { crawlOnce } from '../../src/commands/output/crawl-report.ts';
import { loadSettings } from '../../src/settings/settings.ts';

/** Child process: the command `crawl`, which also prints its peak memory at the start of the export. Argument: the settings file. */
const settings = loadSettings({ file: process.argv[2] ?? null, env: {} });
await using app = await createApp(settings, createLogger({ level: 'error', stream: process.stderr }));
let crawlPeakMB = 0;
const { report, fault } = await crawlOnce(
  {
    ...app,
    export: (...args) => {
      crawlPeakMB ||= (process.resourceUsage().maxRSS * 1_024) / 1e6;
      return app.export(...args);
    },
  },
  { stderr: process.stderr, signal: new AbortController().signal },
);
if (fault !== null) throw fault;
process.stdout.write(JSON.stringify({ visited: report.visited, crawlPeakMB }));
