/**
 * Child process: the service with a clock that is set while it runs. Arguments: settings file. Each line of stdin is a number of
 * milliseconds to set it ahead (or, negative, back) by; prints a line with its time when it has. Ends when stdin does.
 */
import { createInterface } from 'node:readline';
import { createApp, createLogger } from '../../src/app/app.ts';
import { createService } from '../../src/service/service.ts';
import { loadSettings } from '../../src/settings/settings.ts';

let aheadMs = 0;
const now = () => Date.now() + aheadMs;
const settings = loadSettings({ file: process.argv[2], env: {} });
const logger = createLogger({ level: settings.log.level, stream: process.stderr });
await using app = await createApp(settings, logger, { now });
await using service = createService({ app, now, clock: () => performance.now() });
await service.start();
process.stdout.write(`${now()}\n`);
for await (const line of createInterface({ input: process.stdin })) {
  aheadMs += Number(line);
  process.stdout.write(`${now()}\n`);
}
await service.stop();
