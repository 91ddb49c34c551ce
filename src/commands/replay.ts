import { once } from 'node:events';
import { type ReplayOutcome, replayDatabase } from '../app/database.ts';
import type { ReplayDifference } from '../crawl/replay.ts';
import { isoTime, utcText } from '../model/time.ts';
import { counted } from '../report/text-blocks.ts';
import { abortOnSignal } from '../shutdown.ts';
import type { Help, Run, Terminal } from './command.ts';
import { settingsOf } from './input/open-app.ts';

export const help: Help = {
  options: [['--revisit', 'make the domains due whose documents are read differently']],
  more: `Reports each verdict and fact that would change. Never changes a recorded visit:
with --revisit, the next crawl visits those domains, and those of which today's
parsers would request another URL. A service may be running.

With --json: differences (domain, visitId, at, field, from, to), end, visits,
changedVisits, differenceCount, byField, wouldAskElsewhere, damaged, revisited.
Times are ISO 8601 in UTC.

Exit code: 0, or 1 when it was stopped before the end.`,
  examples: ['loopscout replay', 'loopscout replay --revisit --json'],
};

/** `replay`: runs today's parsers over every stored document and reports the differences; `--revisit` makes their domains due. */
export const run: Run<{ revisit?: boolean }> = async (invocation) => {
  const { options, terminal, outputFailed } = invocation;
  const settings = settingsOf(invocation);
  using interrupt = abortOnSignal();
  const revisit = options.revisit === true;
  const signal = AbortSignal.any([interrupt.signal, outputFailed]);
  if (options.json === true) {
    const stream = jsonStream(terminal.stdout, signal);
    const report = await replayDatabase(settings, { revisit, signal, onDifference: stream.add });
    stream.end(report);
    return report.end === 'done' ? 0 : 1;
  }
  const shown: ReplayDifference[] = [];
  const onDifference = (difference: ReplayDifference) => {
    if (shown.length < MAX_SHOWN) shown.push(difference);
  };
  const report = await replayDatabase(settings, { revisit, signal, onDifference });
  terminal.stdout.write(replayText(shown, report));
  return report.end === 'done' ? 0 : 1;
};

/** Streams one JSON object: first all differences, then the rest of the report. Writes nothing before the first difference. */
function jsonStream(stdout: Terminal['stdout'], signal: AbortSignal) {
  let hasStarted = false;
  return {
    async add(difference: ReplayDifference) {
      const before = hasStarted ? ',\n    ' : '{\n  "differences": [\n    ';
      hasStarted = true;
      if (stdout.write(before + JSON.stringify(dated(difference))) || signal.aborted) return;
      await once(stdout, 'drain', { signal }).catch(() => undefined);
    },
    end({ wouldAskElsewhere, damaged, ...rest }: ReplayOutcome) {
      const lists = { wouldAskElsewhere: datedVisits(wouldAskElsewhere), damaged: datedVisits(damaged) };
      const text = JSON.stringify({ ...rest, ...lists }, null, 2);
      stdout.write(`${hasStarted ? '\n  ],\n' : '{\n  "differences": [],\n'}${text.slice('{\n'.length)}\n`);
    },
  };
}

const dated = <T extends { at: number }>(visit: T) => ({ ...visit, at: isoTime(visit.at) });

const datedVisits = <T extends { at: number }>({ count, visits }: { count: number; visits: T[] }) => ({
  count,
  visits: visits.map(dated),
});

/** Maximum entries of a list in the text. */
export const MAX_SHOWN = 50;

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
    if (last?.visitId !== visitId) lines.push(`${domain}, visited ${utcText(at)}`);
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
  const shown = visits.slice(0, MAX_SHOWN).map(({ domain, at }) => `  ${domain}, visited ${utcText(at)}`);
  return [`${counted(count, 'visit')} ${what}:`, ...shown, ...moreLine(count, shown.length)];
}

function closingLine({ end, revisited }: ReplayOutcome): string {
  const stopped = end === 'stopped' ? 'Stopped early. ' : '';
  if (revisited === 0) return `${stopped}The database is unchanged.`;
  return `${stopped}${counted(revisited, 'domain')} will be visited again.`;
}

const MAX_VALUE_LENGTH = 80;

function valueText(value: ReplayDifference['from']): string {
  if (value === null) return 'unknown';
  if (typeof value === 'object' && !Array.isArray(value)) return 'known';
  const text = JSON.stringify(value);
  return text.length <= MAX_VALUE_LENGTH ? text : `${text.slice(0, MAX_VALUE_LENGTH)}...`;
}
