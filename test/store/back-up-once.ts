/** Child process: copies a database and prints any error. Arguments: the database, the copy. */
import { backUp } from '../../src/store/sqlite/back-up.ts';

// A file size limit must cause a write error, not a signal.
process.on('SIGXFSZ', () => undefined);
const [, , path = '', target = ''] = process.argv;
try {
  await backUp(path, target, { force: false });
} catch (error) {
  process.stdout.write(error instanceof Error ? error.message : String(error));
}
