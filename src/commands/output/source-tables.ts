import { minuteText, utcText } from '../../model/time.ts';
import { counted, wrapLines } from '../../report/text-blocks.ts';
import type { SourceReport } from '../../service/sources/run-source.ts';
import type { SourceRunSummary, SourceSummary } from '../../service/sources/source-overview.ts';
import { type Column, tableText } from './table.ts';

const SOURCE_COLUMNS: readonly Column<SourceSummary>[] = [
  { title: 'source', cell: ({ key }) => key },
  {
    title: 'last read (UTC)',
    cell: ({ lastRun }) => (lastRun === null ? 'never' : minuteText(lastRun.begunAt)),
    drop: 5,
  },
  { title: 'result', cell: ({ lastRun }) => (lastRun === null ? '' : outcomeText(lastRun)), drop: 6 },
  { title: 'added', cell: ({ lastRun }) => lastRun?.entered ?? '', kind: 'number', drop: 2 },
  { title: 'domains', cell: ({ domains }) => domains ?? '', kind: 'number', drop: 4 },
  { title: 'visited', cell: ({ visited }) => visited ?? '', kind: 'number', drop: 3 },
  { title: 'waiting', cell: ({ waiting }) => waiting ?? '', kind: 'number', drop: 1 },
  { title: 'Loops', cell: ({ loops }) => loops ?? '', kind: 'number' },
  { title: 'only here', cell: ({ onlyHere }) => onlyHere ?? '', kind: 'number' },
];

/** The results of the sources as a table, with notes below. */
export function sourcesText(sources: readonly SourceSummary[], maxWidth = Number.POSITIVE_INFINITY): string {
  if (sources.length === 0) return 'The settings name no sources.\n';
  const notes = sources.flatMap((source) => notesOn(source).flatMap((note) => wrapLines(note, maxWidth)));
  return `${[tableText(SOURCE_COLUMNS, sources, maxWidth), ...notes].join('\n')}\n`;
}

const countColumn = (
  name: 'lines' | 'entered' | 'known' | 'merged' | 'refused' | 'queueFull' | 'cappedByDomain' | 'requests' | 'bytes',
  title: string,
  drop?: number,
): Column<SourceRunSummary> => ({
  title,
  cell: (run) => run[name],
  kind: 'number',
  drop,
});

const RUN_COLUMNS: readonly Column<SourceRunSummary>[] = [
  { title: 'read (UTC)', cell: ({ begunAt }) => minuteText(begunAt) },
  { title: 'result', cell: outcomeText },
  countColumn('lines', 'lines', 8),
  countColumn('entered', 'new'),
  countColumn('known', 'known', 6),
  countColumn('merged', 'merged', 3),
  countColumn('refused', 'refused', 5),
  countColumn('queueFull', 'queue full', 2),
  countColumn('cappedByDomain', 'over cap', 1),
  countColumn('requests', 'requests', 7),
  countColumn('bytes', 'bytes', 4),
];

export function runsText(key: string, runs: readonly SourceRunSummary[], maxWidth?: number): string {
  return `Source ${key}, newest first\n${tableText(RUN_COLUMNS, runs, maxWidth)}\n`;
}

function notesOn({ key, status, lastRun, lastNotAsked }: SourceSummary): string[] {
  if (status === 'removed') return [`${key}: no longer in the settings.`];
  if (status === 'off') return [`${key}: switched off.`];
  const notes = lastRun === null || lastRun.why === null ? [] : [`${key}: ${lastRun.why}`];
  if (lastNotAsked !== null) notes.push(`${key}: last tried at ${utcText(lastNotAsked.at)}; ${lastNotAsked.why}.`);
  return notes;
}

/** `broken`: the run was cut off, usually because its process died. */
function outcomeText({ outcome }: SourceRunSummary): string {
  return outcome === null ? 'under way' : outcome === 'broken' ? 'cut off' : outcome;
}

/** The result of a source's run as one line. */
export function sourceLine(report: SourceReport): string {
  const { label, outcome, why } = report;
  if (outcome === 'unchanged') return `Source ${label}: unchanged since it was last read.`;
  // The sentence of a SourceError names the source itself.
  if (outcome === 'failed' || outcome === 'denied')
    return why?.startsWith('The source ') ? why : `Source ${label} was not read: ${why}.`;
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
  return `${counted(lines, 'line')}, ${accepted} accepted, ${merged} merged, ${refused} refused${why}, ${blank} blank; ${entered} new${rest}`;
}
