import { diffDirectory, directoryDifferenceText } from '../app/database.ts';
import { type Run, UsageError } from './command.ts';
import { settingsOf } from './input/open-app.ts';
import { parsePastTime } from './input/values.ts';

/** `diff A B`: what changed in the directory between two times. */
export const run: Run = async (invocation) => {
  const { args, options, terminal } = invocation;
  const settings = settingsOf(invocation);
  const now = Date.now();
  const [first = 'now', second = 'now', ...more] = args;
  if (more.length > 0) throw new UsageError(`diff compares two times: leave out ${more.join(' ')}`);
  const from = timeOf('the first time', first, now);
  const to = timeOf('the second time', second, now);
  if ((from ?? now) > (to ?? now))
    throw new UsageError('the first time is later than the second; name the earlier time first');
  if ((from ?? now) === (to ?? now)) throw new UsageError('both times are the same; name an earlier one first');
  const difference = await diffDirectory(settings, { from, to, now });
  terminal.stdout.write(
    options.json === true ? `${JSON.stringify(difference, null, 2)}\n` : directoryDifferenceText(difference),
  );
  return 0;
};

/** Null: now. */
function timeOf(what: string, text: string, now: number): number | null {
  return text === 'now' ? null : parsePastTime(what, text, now);
}
