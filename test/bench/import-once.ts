import { createApp } from '../../src/app/app.ts';
import { createLogger } from '../../src/logger.ts';
import { loadSettings } from '../../src/settings/settings.ts';

/** Child process: reads every source of a settings file once and prints the reports without the refusals. */
const settings = loadSettings({ file: process.argv[2] ?? null, env: {} });
await using app = await createApp(settings, createLogger({ level: 'silent', stream: process.stderr }));
const reports = await app.sources.read('all', new AbortController().signal);
process.stdout.write(JSON.stringify(reports.map(({ refusals: _refusals, ...report }) => report)));
