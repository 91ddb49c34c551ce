/**
 * Child process: the service with a clock that the parent can change. Argument: settings file. Each line of stdin is a number of
 * milliseconds by which the clock moves (negative: backwards); the process then prints the new time. It exits when stdin closes.
 */

import { createInterface } from 'node:readline';
import { createApp } from '../../src/app/app.ts';
import { createLogger } from '../../src/logger.ts';
import { Service } from '../../src/service/service.ts';
import { loadSettings } from '../../src/settings/settings.ts';

let offsetMs = 0;
const now = () => Date.now() + offsetMs;
const settings = loadSettings({ file: process.argv[2], env: {} });
const logger = createLogger({ level: settings.log.level, stream: process.stderr });
await using app = await createApp(settings, logger, { now });
await using service = new Service(app, { now, clock: () => performance.now() });
await service.start();
process.stdout.write(`${now()}\n`);
for await (const line of createInterface({ input: process.stdin })) {
  offsetMs += Number(line);
  process.stdout.write(`${now()}\n`);
}
await service.stop();
