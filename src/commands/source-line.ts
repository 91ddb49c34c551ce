import type { SourceReport } from '../app.ts';

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
