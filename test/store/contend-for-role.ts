/** Child process: repeatedly takes and releases a role, and checks that no other process holds it. Arguments: the database, the number of times. */
import { closeSync, openSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { takeRole } from '../../src/store/sqlite/locks.ts';

const [, , path = '', times = '1'] = process.argv;
for (let timesTaken = 0; timesTaken < Number(times); ) {
  using role = takeRole(path, 'crawl');
  if (role === null) {
    await delay(1);
    continue;
  }
  timesTaken += 1;
  // Throws if the file exists, which means that another process holds the role.
  closeSync(openSync(`${path}.alone`, 'wx'));
  rmSync(`${path}.alone`);
}
process.stdout.write('done\n');
