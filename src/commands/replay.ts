import { abortOnSignal } from '../app/app.ts';
import { type ReplayDifference, type ReplayReport, replayDatabase } from '../app/database.ts';
import type { Run, Terminal } from './command.ts';
import { settingsOf } from './input/open-app.ts';
import { MAX_SHOWN, replayText } from './output/replay-report.ts';

/** `replay`: runs today's parsers over every stored document and reports the differences; `--apply` records them. */
export const run: Run<{ apply?: boolean }> = async (invocation) => {
  const { options, terminal, outputFailed } = invocation;
  const settings = settingsOf(invocation);
  using interrupt = abortOnSignal();
  const apply = options.apply === true;
  const signal = AbortSignal.any([interrupt.signal, outputFailed]);
  if (options.json === true) {
    const stream = jsonStream(terminal.stdout, signal);
    const report = await replayDatabase(settings, { apply, signal, onDifference: stream.add });
    stream.end(report);
    return report.end === 'done' ? 0 : 1;
  }
  const shown: ReplayDifference[] = [];
  const onDifference = (difference: ReplayDifference) => {
    if (shown.length < MAX_SHOWN) shown.push(difference);
  };
  const report = await replayDatabase(settings, { apply, signal, onDifference });
  terminal.stdout.write(replayText(shown, report));
  return report.end === 'done' ? 0 : 1;
};

/** Streams one JSON object: first all differences, then the rest of the report. Writes nothing before the first difference. */
function jsonStream(stdout: Terminal['stdout'], signal: AbortSignal) {
  let hasStarted = false;
  const write = async (text: string) => {
    if (stdout.write(text) || signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const onWritable = () => resolve();
    stdout.once('drain', onWritable);
    signal.addEventListener('abort', onWritable);
    await promise;
    signal.removeEventListener('abort', onWritable);
  };
  return {
    add: (difference: ReplayDifference) => {
      const before = hasStarted ? ',\n    ' : '{\n  "differences": [\n    ';
      hasStarted = true;
      return write(before + JSON.stringify(dated(difference)));
    },
    end: (report: ReplayReport) => {
      const { wouldAskElsewhere, damaged, ...rest } = report;
      const text = JSON.stringify(
        { ...rest, wouldAskElsewhere: datedVisits(wouldAskElsewhere), damaged: datedVisits(damaged) },
        null,
        2,
      );
      stdout.write(`${hasStarted ? '\n  ],\n' : '{\n  "differences": [],\n'}${text.slice('{\n'.length)}\n`);
    },
  };
}

const dated = <T extends { at: number }>(visit: T) => ({ ...visit, at: new Date(visit.at).toISOString() });

const datedVisits = <T extends { at: number }>({ count, visits }: { count: number; visits: T[] }) => ({
  count,
  visits: visits.map(dated),
});
