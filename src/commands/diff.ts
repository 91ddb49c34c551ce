import { resolve } from 'node:path';
import { diffDirectory } from '../app/database.ts';
import { directoryDifferenceText } from '../export/diff/directory-difference-text.ts';
import { type Help, type Run, UsageError, writeResult } from './command.ts';
import { settingsOf } from './input/open-app.ts';
import { isDate } from './input/values.ts';

export const help: Help = {
  argument: 'two dates such as 2026-03-01, or files; the earlier first',
  more: `Lists the instances that are new, gone or moved, changed their version or name,
opened or closed registration, or went up or down. A date names the dated file
of that day in the export folder; a file is an instances.json or a dated file.
The second defaults to the instances.json of the last export. The reason why an
instance has gone is the present one, from the database.

With --json: from, to, listed, new, gone, moved, upgraded, downgraded,
versionChanged, opened, closed, renamed, up, down.`,
  examples: ['loopscout diff 2026-03-01', 'loopscout diff 2026-03-01 2026-04-01 --json'],
};

/** `diff A [B]`: what changed between two published directories, by default from A to the present. */
export const run: Run = async (invocation) => {
  const { args, terminal } = invocation;
  const settings = settingsOf(invocation);
  const [first, second, ...more] = args;
  if (first === undefined || more.length > 0) {
    throw new UsageError(
      `diff compares two dates or files: ${more.length > 0 ? `leave out ${more.join(' ')}` : 'name the earlier one'}`,
    );
  }
  const directoryOf = (text: string) => (isDate(text) ? { date: text } : { file: resolve(terminal.cwd, text) });
  const difference = await diffDirectory(settings, {
    from: directoryOf(first),
    to: second === undefined ? null : directoryOf(second),
  });
  writeResult(invocation, difference, () => directoryDifferenceText(difference));
  return 0;
};
