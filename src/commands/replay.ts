import { once } from 'node:events';
import { type ReplayOutcome, replayDatabase } from '../app/database.ts';
import type { ReplayDifference } from '../crawl/replay.ts';
import { abortOnSignal } from '../shutdown.ts';
import type { Help, Run, Terminal } from './command.ts';
import { settingsOf } from './input/open-app.ts';
import { MAX_SHOWN, replayText } from './output/replay-report.ts';

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

const dated = <T extends { at: number }>(visit: T) => ({ ...visit, at: new Date(visit.at).toISOString() });

const datedVisits = <T extends { at: number }>({ count, visits }: { count: number; visits: T[] }) => ({
  count,
  visits: visits.map(dated),
});
