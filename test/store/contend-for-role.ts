/** Child process: takes a role and gives it up so many times; whoever has it must be alone. Arguments: the database, how often. */
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
  // Fails when it is there already.
  closeSync(openSync(`${path}.alone`, 'wx'));
  rmSync(`${path}.alone`);
}
process.stdout.write('done\n');
