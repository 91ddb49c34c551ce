/** Child process: copies a database and prints what went wrong. Arguments: the database, the copy. */
import { backUp } from '../../src/store/sqlite/back-up.ts';

// What a limit on the size of a file stops is to arrive as a failed write.
process.on('SIGXFSZ', () => undefined);
const [, , path = '', target = ''] = process.argv;
try {
  await backUp(path, target, { force: false });
} catch (error) {
  process.stdout.write(error instanceof Error ? error.message : String(error));
}
