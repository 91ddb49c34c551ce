import { type Comparison, compareSource } from '../app/compare.ts';
import { counted } from '../report/text-blocks.ts';
import { abortOnSignal } from '../shutdown.ts';
import { type Help, type Run, UsageError, writeResult } from './command.ts';
import { settingsFileFor, settingsOf } from './input/open-app.ts';

export const help: Help = {
  argument: 'a source of the settings by its key, URL or path; or another list: a file, or the URL of a JSON list',
  more: `Reads the source now and stores nothing. If a source names software, only its
Loops entries are compared; otherwise all domains are, but those known to run
other software are counted and not named. A URL is read as a JSON list of hosts,
or, if it ends in instances.json, as an export of Loopscout.

With --json: source, outcome, why, listed, saidOther, both, theirs (domain,
because, detail), theirsByReason, ours (domain, via, version, firstSeen,
sources), refused, refusedByReason. Times are ISO 8601 in UTC.

Exit code: 0; 1 when the list cannot be read, because the server does not
answer, has opted out or sends no list; 2 when the argument is not a source, a
URL or a readable file.`,
  examples: ['loopscout compare https://directory.example/instances.json', 'loopscout compare their-list.txt --json'],
};

/** Maximum domains shown per list in the text; --json prints all. */
const MAX_SHOWN = 40;

/** `compare SOURCE`: the domains that only the source lists, and those that only we list, each with our reason. */
export const run: Run = async (invocation) => {
  const { args, terminal } = invocation;
  const settings = settingsOf(invocation);
  const [source, ...more] = args;
  if (source === undefined || more.length > 0) throw new UsageError('name exactly one source to compare');
  using interrupt = abortOnSignal();
  const comparison = await compareSource(settings, source, {
    cwd: terminal.cwd,
    settingsFile: settingsFileFor(invocation),
    now: Date.now,
    clock: () => performance.now(),
    signal: interrupt.signal,
  });
  writeResult(invocation, comparison, () => comparisonText(comparison));
  return 0;
};

function comparisonText(comparison: Comparison): string {
  const { source, outcome, why, listed, saidOther, both, theirs, theirsByReason, ours, refused } = comparison;
  const others = saidOther === 0 ? '' : `, ${saidOther} of them as other software`;
  const unread = refused === 0 ? '' : `; ${counted(refused, 'line')} could not be used`;
  const optedOut = theirsByReason['opted-out'] ?? 0;
  const otherNotListed = (theirsByReason['other-software'] ?? 0) - theirs.filter(isOther).length;
  return `${[
    `${source.label} lists ${counted(listed, 'domain')}${others}${unread}.`,
    outcome === 'complete' ? null : `It was not read completely: ${why}.`,
    `It lists ${both} of our ${both + ours.length} instances.`,
    '',
    `Listed there, not here: ${theirs.length}`,
    ...firstLines(theirs.map(({ domain, detail }) => `  ${domain}: ${detail}`)),
    otherNotListed === 0 ? null : `  ${otherNotListed} more run other software, as far as we know.`,
    optedOut === 0 ? null : `  ${optedOut} more have opted out.`,
    '',
    `Listed here, not there: ${ours.length}`,
    ...firstLines(ours.map(ourLine)),
  ]
    .filter((line) => line !== null)
    .join('\n')}\n`;
}

function isOther({ because }: Comparison['theirs'][number]): boolean {
  return because === 'other-software';
}

function ourLine({ domain, via, version, firstSeen, sources }: Comparison['ours'][number]): string {
  const from = sources.length === 0 ? 'no source lists it' : `listed by ${sources.join(', ')}`;
  return `  ${domain}: Loops ${version ?? 'of unknown version'} by ${via}, known since ${firstSeen.slice(0, 10)}, ${from}`;
}

function firstLines(lines: readonly string[]): string[] {
  const rest = lines.length - MAX_SHOWN;
  return rest <= 0 ? [...lines] : [...lines.slice(0, MAX_SHOWN), `  and ${rest} more; --json lists all`];
}
