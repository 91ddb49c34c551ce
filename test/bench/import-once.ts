import { createApp } from '../../src/app/app.ts';
import { createLogger } from '../../src/logger.ts';
import { loadSettings } from '../../src/settings/settings.ts';

/** Child process: runs every source of a settings file once and prints the reports without the refusals. */
const [file = ''] = process.argv.slice(2);
const settings = loadSettings({ file, env: {}, cwd: process.cwd(), flags: {} });
await using app = await createApp(settings, createLogger({ level: 'silent', stream: process.stderr }));
const startedAt = performance.now();
const reports = await app.sources.read('all', new AbortController().signal);
const ms = performance.now() - startedAt;
process.stdout.write(JSON.stringify({ ms, reports: reports.map(({ refusals: _refusals, ...report }) => report) }));
