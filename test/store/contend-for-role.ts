/** Child process: repeatedly takes and releases a role, and checks that no other process holds it. Arguments: the database, the number of times. */
import { closeSync, openSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { takeRole } from '../../src/store/sqlite/locks.ts';

const [, , path = '', times = '1'] = process.argv;
for (let taken = 0; taken < Number(times); ) {
  using role = takeRole(path, 'service');
  if (role === null) {
    await delay(1);
    continue;
  }
  taken += 1;
  // Fails if the file exists.
  closeSync(openSync(`${path}.alone`, 'wx'));
  rmSync(`${path}.alone`);
}
process.stdout.write('done\n');
