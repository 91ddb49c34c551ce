import { resolve } from 'node:path';
import { backUp } from '../store/sqlite/back-up.ts';
import type { Run } from './command.ts';
import { settingsOf } from './input/open-app.ts';

/** `backup FILE`: a consistent copy of the database, even while it is in use. */
export const run: Run<{ force?: boolean }> = async (invocation) => {
  const { args, options, terminal } = invocation;
  const { database } = settingsOf(invocation);
  const file = resolve(terminal.cwd, args[0] ?? '');
  const { bytes } = await backUp(database, file, { force: options.force === true });
  terminal.stdout.write(
    options.json === true
      ? `${JSON.stringify({ database, file, bytes }, null, 2)}\n`
      : `Copied ${database} to ${file}: ${bytes} bytes.\n`,
  );
  return 0;
};
