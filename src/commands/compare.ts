import { abortOnSignal } from '../app/app.ts';
import { type Comparison, compareSource } from '../app/compare.ts';
import { counted } from '../report/text-blocks.ts';
import { type Run, UsageError } from './command.ts';
import { settingsOf } from './input/open-app.ts';

/** Named in the text; --json names all. */
const SHOWN = 40;

/** `compare SOURCE`: whom a source lists that we do not, and the reverse, each with our reason. */
export const run: Run = async (invocation) => {
  const { args, options, terminal } = invocation;
  const settings = settingsOf(invocation);
  const [source, ...more] = args;
  if (source === undefined || more.length > 0) throw new UsageError('one source is compared: name it, and no more');
  using interrupt = abortOnSignal();
  const comparison = await compareSource(settings, source, {
    cwd: terminal.cwd,
    now: Date.now,
    clock: () => performance.now(),
    signal: interrupt.signal,
  });
  terminal.stdout.write(options.json === true ? `${JSON.stringify(comparison, null, 2)}\n` : text(comparison));
  return 0;
};

function text(comparison: Comparison): string {
  const { source, outcome, why, listed, saidOther, both, theirs, theirsByReason, ours, refused } = comparison;
  const others = saidOther === 0 ? '' : `, of which it says that ${saidOther} run other software`;
  const unread = refused === 0 ? '' : `; ${counted(refused, 'line')} of it could not be used`;
  const optedOut = theirsByReason['opted-out'] ?? 0;
  const apart = (theirsByReason['other-software'] ?? 0) - theirs.filter(isOther).length;
  return `${[
    `${source.label} lists ${counted(listed, 'domain')}${others}${unread}.`,
    outcome === 'complete' ? '' : `It was not read to its end: ${why}.`,
    `${both} of our ${both + ours.length} instances are in it.`,
    '',
    `They, not we: ${theirs.length}`,
    ...shown(theirs.map(({ domain, detail }) => `  ${domain}: ${detail}`)),
    apart === 0 ? '' : `  ${apart} more run other software, as far as we know.`,
    optedOut === 0 ? '' : `  ${optedOut} more asked to be left alone.`,
    '',
    `We, not they: ${ours.length}`,
    ...shown(ours.map(ourLine)),
  ]
    .filter((line, index, all) => line !== '' || (index > 0 && all[index - 1] !== ''))
    .join('\n')}\n`;
}

function isOther({ because }: Comparison['theirs'][number]): boolean {
  return because === 'other-software';
}

function ourLine({ domain, via, version, firstSeen, sources }: Comparison['ours'][number]): string {
  const from = sources.length === 0 ? 'no source lists it' : `listed by ${sources.join(', ')}`;
  return `  ${domain}: Loops ${version ?? 'of unknown version'} by ${via}, known since ${firstSeen.slice(0, 10)}, ${from}`;
}

function shown(lines: readonly string[]): string[] {
  const rest = lines.length - SHOWN;
  return rest <= 0 ? [...lines] : [...lines.slice(0, SHOWN), `  and ${rest} more; --json names all`];
}
