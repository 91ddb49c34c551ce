import { Table } from 'console-table-printer';
import type { SourceReport } from '../../app/app.ts';
import type { SourceRunSummary, SourceSummary } from '../../service/sources/source-overview.ts';

/** The results of the sources as a table, with notes below. */
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
      { name: 'new', title: 'added', alignment: 'right' },
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

/** The runs of one source as a table. */
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
  const notes = lastRun === null || lastRun.why === null ? [] : [`${key}: ${lastRun.why}`];
  if (lastNotAsked !== null) notes.push(`${key}: last tried at ${minute(lastNotAsked.at)}; ${lastNotAsked.why}.`);
  return notes.length === 0 ? null : notes.join('\n');
}

/** `broken`: the run was cut off, usually because its process died. */
function outcomeText({ outcome }: SourceRunSummary): string {
  return outcome === null ? 'under way' : outcome === 'broken' ? 'cut off' : outcome;
}

function minute(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}

/** Cuts the middle out of a long key: the start shows the type, the end distinguishes files. */
function shortened(key: string): string {
  return key.length <= 46 ? key : `${key.slice(0, 18)}…${key.slice(-27)}`;
}

/** The result of a source's run as one line. */
export function sourceLine(report: SourceReport): string {
  const { label, outcome, why } = report;
  if (outcome === 'under-way') return `Source ${label} was not read: ${why}.`;
  if (outcome === 'unchanged') return `Source ${label}: unchanged since it was last read.`;
  if (outcome === 'failed') return `Source ${label} could not be read: ${why}`;
  const partial = outcome === 'partial' ? ` It was not read completely: ${why}.` : '';
  const shrunk =
    report.shrunkFrom === null ? '' : ` It listed ${report.shrunkFrom} in the run before; those domains stay.`;
  return `Source ${label}: ${countsText(report)}.${partial}${shrunk}`;
}

function countsText(report: SourceReport): string {
  const { lines, accepted, merged, refused, refusedByReason, blank, entered } = report;
  const reasons = Object.entries(refusedByReason).map(([reason, count]) => `${count} ${reason}`);
  const why = reasons.length === 0 ? '' : ` (${reasons.join(', ')})`;
  const notEntered = [
    [report.queueFull, 'deferred until earlier domains of the source are visited'],
    [report.cappedByDomain, 'left out, over the cap for their registrable domain or host'],
    [report.optedOut, 'opted out'],
  ] as const;
  const rest = notEntered.flatMap(([count, what]) => (count === 0 ? [] : [`, ${count} ${what}`])).join('');
  return `${lines} lines, ${accepted} accepted, ${merged} merged, ${refused} refused${why}, ${blank} blank; ${entered} new${rest}`;
}
