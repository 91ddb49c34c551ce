/**
 * Child process: compacts a database; prints `begun` at the start and `piece` after each transaction. Arguments: the database,
 * the time, milliseconds to pause after each transaction.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { compact } from '../../src/store/retention/compact.ts';

const [, , path = '', at = '0', pauseMs = '5'] = process.argv;
process.stdout.write('begun\n');
await compact({
  path,
  at: Number(at),
  retention: { stepsDays: 30, documentsDays: 30, visitsDays: 400, usageDays: 30, unlistedDays: 90 },
  pause: async () => {
    process.stdout.write('piece\n');
    await delay(Number(pauseMs));
  },
});
