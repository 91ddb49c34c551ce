import { resolve } from 'node:path';
import { backUp } from '../store/sqlite/back-up.ts';
import { type Help, type Run, writeResult } from './command.ts';
import { settingsOf } from './input/open-app.ts';

export const help: Help = {
  argument: 'where to write the copy; a relative path is taken from the current folder',
  options: [['--force', 'replace the file if it exists']],
  more: `The copy is complete or absent. To restore it, stop the service and replace the
database with the copy.`,
  examples: ['loopscout backup backups/monday.sqlite', 'loopscout backup backups/latest.sqlite --force'],
};

/** `backup FILE`: a consistent copy of the database, even while it is in use. */
export const run: Run<{ force?: boolean }> = async (invocation) => {
  const { args, options, terminal } = invocation;
  const { database } = settingsOf(invocation);
  const file = resolve(terminal.cwd, args[0] ?? '');
  const { bytes } = await backUp(database, file, { force: options.force === true });
  writeResult(invocation, { database, file, bytes }, () => `Copied ${database} to ${file}: ${bytes} bytes.\n`);
  return 0;
};
