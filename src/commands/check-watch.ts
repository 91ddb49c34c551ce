import { setTimeout as delay } from 'node:timers/promises';
import {
  differenceText,
  headLines,
  headlineOf,
  isGreen,
  keepDeep,
  type Report,
  reportDifference,
} from '../app.report.ts';
import { columnsOf, formatted, type WriteFiles } from './check-output.ts';
import type { CheckRequest } from './check-request.ts';
import type { Terminal } from './command.ts';
import { counted } from './counted.ts';
import { paintFor } from './paint-for.ts';

export interface Watching {
  /** Checks once; deep when it is told to. */
  look: (deep: boolean) => Promise<Report>;
  writeFiles: WriteFiles;
  terminal: Terminal;
  signal: AbortSignal;
  /** Rejects when the signal aborts. */
  pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/**
 * Looks again and again until the report is green; tells the first look as a whole, and of each later one what is another. Only the
 * first that finds a server of the service goes deep, as each that does leaves an app there; what it found stays in the reports of the later ones.
 *
 * @returns the last report; null when it was interrupted before there was one. It is not green when only what the deep look found is left.
 */
export async function watchUntilGreen(
  request: CheckRequest,
  everyMs: number,
  watching: Watching,
): Promise<Report | null> {
  const {
    look,
    writeFiles,
    terminal,
    signal,
    pause = (ms, given) => delay(ms, undefined, { signal: given }),
  } = watching;
  let deep: Report | null = null;
  let before: Report | null = null;
  try {
    for (;;) {
      const seen = await look(request.deep && deep === null);
      if (seen.deep) deep ??= seen;
      const report = deep === null ? seen : keepDeep(deep, seen);
      terminal.stdout.write(told(before, report, request, terminal));
      await writeFiles(report);
      // What was seen before is what the next look is held against.
      if (!report.offline) before = report;
      if (isGreen(report, request.isStrict)) return report;
      if (isGreen(seen, request.isStrict)) {
        terminal.stderr.write(DEEP_IS_LEFT);
        return report;
      }
      if (terminal.stderr.isTTY === true)
        terminal.stderr.write(`looking again in ${everyMs / 1_000} s; Ctrl+C ends it\n`);
      await pause(everyMs, signal);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    return before;
  }
}

const DEEP_IS_LEFT =
  'What is left was found by the deep look, which is not repeated: once it is cured, check with --deep again.\n';

function told(before: Report | null, report: Report, request: CheckRequest, { stdout }: Terminal): string {
  if (before === null || request.format !== 'text') return formatted(report, request, stdout);
  const columns = columnsOf(stdout);
  const paint = paintFor(stdout);
  const difference = differenceText(reportDifference(before, report), columns, paint);
  if (report.offline) return `${headlineOf(report).text}\n`;
  const time = `${report.checkedAt.slice(11, 19)} UTC`;
  if (difference === '') {
    const { fail, warn } = report.counts;
    return request.isQuiet ? '' : `${time}: nothing has changed, ${fail} fail and ${counted(warn, 'warning')}\n`;
  }
  return `\n${paint(['bold'], time)}\n${headLines(report, columns, paint).join('\n')}\n\n${difference}`;
}
