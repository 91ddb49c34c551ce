/**
 * Child process: one day of the service, run at a multiple of real speed after half a day of warm-up, in which every host is
 * first visited. Arguments: settings file, speed factor. Prints, as JSON, the median resident memory and the visits of each hour.
 * It collects garbage before each sample, because otherwise the result would depend on when the collector happens to run.
 */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createApp, createLogger, type Visit } from '../../src/app/app.ts';
import { createService } from '../../src/service/service.ts';
import { loadSettings } from '../../src/settings/settings.ts';

const [file = '', speed = '1'] = process.argv.slice(2);
const WARM_HOURS = 12;
const HOURS = 24;
const hourMs = 3_600_000 / Number(speed);
/** Milliseconds between two samples; a collection takes about twenty. */
const SAMPLE_MS = 400;
setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');
const startedAt = performance.now();
const epoch = Date.now();
const now = () => Math.floor(epoch + (performance.now() - startedAt) * Number(speed));

const settings = loadSettings({ file, env: {} });
await using app = await createApp(settings, createLogger({ level: 'error', stream: process.stderr }), { now });
let visits = 0;
const { crawl } = app;
const countingApp: typeof app = Object.create(app, {
  crawl: {
    value: (options: Parameters<typeof crawl>[0]) =>
      crawl({
        ...options,
        onCompleted: (visit: Visit) => {
          visits++;
          options.onCompleted(visit);
        },
      }),
  },
});
await using service = createService({ app: countingApp, now, clock: now });
await service.start();

const hours: { medianMB: number; visits: number }[] = [];
for (let hour = 0; hour < WARM_HOURS + HOURS; hour++) {
  const samples: number[] = [];
  const before = visits;
  while (performance.now() - startedAt < (hour + 1) * hourMs) {
    await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
    collectGarbage();
    samples.push(process.memoryUsage.rss() / 2 ** 20);
  }
  samples.sort((a, b) => a - b);
  hours.push({ medianMB: samples[Math.floor(samples.length / 2)] ?? 0, visits: visits - before });
}
await service.stop();
process.stdout.write(JSON.stringify({ hours: hours.slice(WARM_HOURS), memory: process.memoryUsage() }));
