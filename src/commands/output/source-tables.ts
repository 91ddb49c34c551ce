import { Table } from 'console-table-printer';
import type { SourceReport } from '../../app/app.ts';
import type { SourceRunSummary, SourceSummary } from '../../service/sources/source-overview.ts';

/** What each source was worth, as a table, and below it what an owner should know of each. */
export function sourcesText(sources: readonly SourceSummary[]): string {
  if (sources.length === 0) return 'The settings name no sources.\n';
  const rows = sources.map(({ key, lastRun, domains, visited, loops, onlyHere, waiting }) => ({
    source: shortened(key),
    read: lastRun === null ? 'never' : minute(lastRun.begunAt),
    result: lastRun === null ? '' : outcomeText(lastRun),
    new: lastRun?.entered ?? '',
    domains: domains ?? '',
    visited: visited ?? '',
    waiting: waiting ?? '',
    loops: loops ?? '',
    only: onlyHere ?? '',
  }));
  const table = new Table({
    columns: [
      { name: 'source', title: 'source', alignment: 'left' },
      { name: 'read', title: 'last read (UTC)', alignment: 'left' },
      { name: 'result', title: 'result', alignment: 'left' },
      { name: 'new', title: 'new then', alignment: 'right' },
      { name: 'domains', title: 'domains', alignment: 'right' },
      { name: 'visited', title: 'visited', alignment: 'right' },
      { name: 'waiting', title: 'waiting', alignment: 'right' },
      { name: 'loops', title: 'Loops', alignment: 'right' },
      { name: 'only', title: 'only here', alignment: 'right' },
    ],
    rows,
    shouldDisableColors: true,
  }).render();
  const notes = sources.flatMap((source) => noteOn(source) ?? []);
  return `${[table, ...notes].join('\n')}\n`;
}

/** The readings of one source, newest first. */
export function runsText(key: string, runs: readonly SourceRunSummary[]): string {
  const rows = runs.map((run) => ({ ...run, begunAt: minute(run.begunAt), outcome: outcomeText(run) }));
  const count = (name: keyof SourceRunSummary, title: string) => ({ name, title, alignment: 'right' }) as const;
  const table = new Table({
    columns: [
      { name: 'begunAt', title: 'read (UTC)', alignment: 'left' },
      { name: 'outcome', title: 'result', alignment: 'left' },
      count('lines', 'lines'),
      count('entered', 'new'),
      count('known', 'known'),
      count('merged', 'merged'),
      count('refused', 'refused'),
      count('queueFull', 'queue full'),
      count('cappedByDomain', 'over cap'),
      count('requests', 'requests'),
      count('bytes', 'bytes'),
    ],
    rows: rows.map(({ refusedByReason: _, why: __, ...row }) => row),
    disabledColumns: ['id', 'endedAt', 'optedOut'],
    shouldDisableColors: true,
  }).render();
  return `Source ${key}, newest first\n${table}\n`;
}

function noteOn({ key, status, lastRun, lastNotAsked }: SourceSummary): string | null {
  if (status === 'removed') return `${key}: no longer in the settings.`;
  if (status === 'off') return `${key}: switched off.`;
  const told = lastRun === null || lastRun.why === null ? [] : [`${key}: ${lastRun.why}`];
  if (lastNotAsked !== null) told.push(`${key}: last tried at ${minute(lastNotAsked.at)}; ${lastNotAsked.why}.`);
  return told.length === 0 ? null : told.join('\n');
}

/** A reading whose process ended first was cut off. */
function outcomeText({ outcome }: SourceRunSummary): string {
  return outcome === null ? 'under way' : outcome === 'broken' ? 'cut off' : outcome;
}

function minute(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}

/** A key of which the ends are shown when it is long: the kind, and what tells one file of a folder from another. */
function shortened(key: string): string {
  return key.length <= 46 ? key : `${key.slice(0, 18)}…${key.slice(-27)}`;
}

/** What the reading of a source came to, for a person. */
export function sourceLine(report: SourceReport): string {
  const { label, outcome, why } = report;
  if (outcome === 'under-way') return `Source ${label} was not read: ${why}.`;
  if (outcome === 'unchanged') return `Source ${label}: unchanged since it was last read.`;
  if (outcome === 'failed') return `Source ${label} could not be read: ${why}`;
  const brokeOff = outcome === 'partial' ? ` It was not read to its end: ${why}.` : '';
  const shrank =
    report.shrunkFrom === null
      ? ''
      : ` It listed ${report.shrunkFrom} when it was last read; what it brought then stays.`;
  return `Source ${label}: ${countsText(report)}.${brokeOff}${shrank}`;
}

function countsText(report: SourceReport): string {
  const { lines, accepted, merged, refused, refusedByReason, blank, entered } = report;
  const reasons = Object.entries(refusedByReason).map(([reason, count]) => `${count} ${reason}`);
  const why = reasons.length === 0 ? '' : ` (${reasons.join(', ')})`;
  const left = [
    [report.queueFull, 'wait until others of it were visited'],
    [report.cappedByDomain, 'left out, over the cap for their registrable domain or host'],
    [report.optedOut, 'opted out'],
  ] as const;
  const told = left.flatMap(([count, what]) => (count === 0 ? [] : [`, ${count} ${what}`])).join('');
  return `${lines} lines, ${accepted} accepted, ${merged} merged, ${refused} refused${why}, ${blank} blank; ${entered} new${told}`;
}
