/**
 * Child process: one day of the service, after half a day of warm-up in which every host is visited twice. The clock jumps ahead
 * by three hours whenever all due visits are recorded, however long they take. Argument: settings file.
 * Prints JSON: for every three hours, the number of visits, and the memory in use at the end after garbage collection.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import Database from 'better-sqlite3';
import { createApp } from '../../src/app/app.ts';
import { createLogger } from '../../src/logger.ts';
import { Service } from '../../src/service/service.ts';
import { loadSettings } from '../../src/settings/settings.ts';

const [file = ''] = process.argv.slice(2);
const STEP_HOURS = 3;
const WARM_HOURS = 12;
const HOURS = 24;
// Same as in `src/cli.ts`.
setFlagsFromString('--heap-growing-percent=100');
setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');
let hoursAhead = 0;
const now = () => Date.now() + hoursAhead * 3_600_000;

const settings = loadSettings({ file, env: {} });
await using app = await createApp(settings, createLogger({ level: 'error', stream: process.stderr }), { now });
let visits = 0;
const crawl = app.crawl.bind(app);
app.crawl = (options) =>
  crawl({
    ...options,
    onCompleted: (visit) => {
      visits++;
      options.onCompleted(visit);
    },
  });
await using service = new Service(app, { now, clock: now });
await service.start();

const sqlite = new Database(settings.database, { readonly: true });
const countDue = sqlite.prepare('select count(*) from domains where next_visit <= ?').pluck();
const steps: { heapMB: number; residentMB: number; visits: number }[] = [];
let visitsBefore = 0;
for (; hoursAhead < WARM_HOURS + HOURS; hoursAhead += STEP_HOURS) {
  while (Number(countDue.get(now())) > 0) await delay(100);
  await service.export();
  // Finalizers that run after the first collection release more.
  collectGarbage();
  await delay(200);
  collectGarbage();
  const { heapUsed, external, rss } = process.memoryUsage();
  steps.push({ heapMB: (heapUsed + external) / 2 ** 20, residentMB: rss / 2 ** 20, visits: visits - visitsBefore });
  visitsBefore = visits;
}
await service.stop();
sqlite.close();
process.stdout.write(JSON.stringify(steps.slice(WARM_HOURS / STEP_HOURS)));
