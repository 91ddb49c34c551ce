import type { ReplayOutcome } from '../../app/database.ts';
import type { ReplayDifference } from '../../crawl/replay.ts';
import { counted } from '../../report/text-blocks.ts';

/** Maximum entries of a list in the text. */
export const MAX_SHOWN = 50;

/** The result of a replay as text. */
export function replayText(shown: readonly ReplayDifference[], report: ReplayOutcome): string {
  const lines = [
    ...byDomain(shown),
    ...moreLine(report.differenceCount, shown.length),
    ...fieldTotals(report),
    totalsLine(report),
    ...visitList('would request a different URL today, so the result is unknown', report.wouldAskElsewhere),
    ...visitList('could not be read, because a stored document is damaged', report.damaged),
    closingLine(report),
  ];
  return `${lines.join('\n')}\n`;
}

function byDomain(differences: readonly ReplayDifference[]): string[] {
  const lines: string[] = [];
  let last: ReplayDifference | null = null;
  for (const difference of differences) {
    const { domain, at, visitId, field, from, to } = difference;
    if (last?.visitId !== visitId) lines.push(`${domain}, visited ${timeOf(at)}`);
    lines.push(`  ${field}: ${valueText(from)} -> ${valueText(to)}`);
    last = difference;
  }
  return lines;
}

function moreLine(all: number, shown: number): string[] {
  return all > shown ? [`and ${all - shown} more; --json lists all`] : [];
}

function fieldTotals({ byField }: ReplayOutcome): string[] {
  const fields = Object.entries(byField).sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  if (fields.length === 0) return [];
  const width = Math.max(...fields.map(([, count]) => String(count).length));
  return ['', 'By field:', ...fields.map(([field, count]) => `  ${String(count).padStart(width)}  ${field}`), ''];
}

function totalsLine({ visits, changedVisits, differenceCount: differences }: ReplayOutcome): string {
  const read = `Read the documents of ${counted(visits, 'visit')}`;
  if (differences === 0) return `${read}: nothing would change.`;
  return `${read}: ${counted(changedVisits, 'visit')} read differently, with ${counted(differences, 'difference')}.`;
}

function visitList(
  what: string,
  { count, visits }: { count: number; visits: readonly { domain: string; at: number }[] },
): string[] {
  if (count === 0) return [];
  const shown = visits.slice(0, MAX_SHOWN).map(({ domain, at }) => `  ${domain}, visited ${timeOf(at)}`);
  return [`${counted(count, 'visit')} ${what}:`, ...shown, ...moreLine(count, shown.length)];
}

function closingLine({ end, revisited }: ReplayOutcome): string {
  const stopped = end === 'stopped' ? 'Stopped early. ' : '';
  if (revisited === 0) return `${stopped}The database is unchanged.`;
  return `${stopped}${counted(revisited, 'domain')} will be visited again.`;
}

function timeOf(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}

const MAX_VALUE_LENGTH = 80;

function valueText(value: ReplayDifference['from']): string {
  if (value === null) return 'unknown';
  if (typeof value === 'object' && !Array.isArray(value)) return 'known';
  const text = JSON.stringify(value);
  return text.length <= MAX_VALUE_LENGTH ? text : `${text.slice(0, MAX_VALUE_LENGTH)}...`;
}
