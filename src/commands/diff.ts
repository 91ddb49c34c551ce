import { resolve } from 'node:path';
import { diffDirectory } from '../app/database.ts';
import { directoryDifferenceText } from '../export/diff/directory-difference-text.ts';
import { type Run, UsageError } from './command.ts';
import { settingsOf } from './input/open-app.ts';
import { isDate } from './input/values.ts';

/** `diff A [B]`: what changed between two published directories, by default from A to the present. */
export const run: Run = async (invocation) => {
  const { args, options, terminal } = invocation;
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
  terminal.stdout.write(
    options.json === true ? `${JSON.stringify(difference, null, 2)}\n` : directoryDifferenceText(difference),
  );
  return 0;
};
