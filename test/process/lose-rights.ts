/**
 * Child process: the service, whose database and folder become read-only; if it runs as root, it then becomes an unprivileged user.
 * Argument: settings file. Prints "lost" once that has happened. It exits when stdin closes.
 */

import { once } from 'node:events';
import { chmodSync, chownSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createApp } from '../../src/app/app.ts';
import { createLogger } from '../../src/logger.ts';
import { Service } from '../../src/service/service.ts';
import { loadSettings } from '../../src/settings/settings.ts';

const NOBODY = 65_534;
const settings = loadSettings({ file: process.argv[2], env: {} });
const logger = createLogger({ level: settings.log.level, stream: process.stderr });
await using app = await createApp(settings, logger);
await using service = new Service(app, { now: Date.now, clock: () => performance.now() });
await service.start();
const folder = dirname(settings.database);
const isRoot = process.getuid?.() === 0;
for (const name of readdirSync(folder)) {
  const path = join(folder, name);
  if (isRoot) chownSync(path, NOBODY, NOBODY);
  chmodSync(path, 0o444);
}
chmodSync(folder, 0o555);
// Root can write anywhere.
if (isRoot) process.setuid?.(NOBODY);
process.stdout.write('lost\n');
process.stdin.resume();
await once(process.stdin, 'end');
await service.stop();
