/** Child process: takes the role of the service and holds it. Argument: the database. */
import { setTimeout as delay } from 'node:timers/promises';
import { takeRole } from '../../src/store/sqlite/locks.ts';

const [, , path = ''] = process.argv;
using role = takeRole(path, 'crawl');
process.stdout.write(role === null ? 'refused\n' : 'taken\n');
await delay(60_000);
