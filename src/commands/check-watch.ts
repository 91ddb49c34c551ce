import { setTimeout as delay } from 'node:timers/promises';
import { isGreen, type Report, reportView } from '../app/check.ts';
import { reportDifference } from '../report/difference.ts';
import { differenceText, headLines } from '../report/text.ts';
import { counted } from '../report/text-blocks.ts';
import type { Terminal } from './command.ts';
import type { CheckRequest } from './input/check-request.ts';
import { columnsOf, formatted, type WriteFiles } from './output/check-output.ts';
import { paintFor } from './output/output.ts';

export interface Watching {
  /** Checks once. */
  look: () => Promise<Report>;
  writeFiles: WriteFiles;
  terminal: Terminal;
  signal: AbortSignal;
  /** Rejects when the signal aborts. */
  pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/**
 * Checks again and again until the report is green; prints the first report whole, and of each later one only the differences.
 *
 * @returns the last report; null when it was interrupted before there was one.
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
  let before: Report | null = null;
  try {
    for (;;) {
      const report = await look();
      terminal.stdout.write(told(before, report, request, terminal));
      await writeFiles(report);
      // What was seen before is what the next look is held against.
      if (!report.offline) before = report;
      if (isGreen(report, request.isStrict)) return report;
      if (terminal.stderr.isTTY === true)
        terminal.stderr.write(`looking again in ${everyMs / 1_000} s; Ctrl+C ends it\n`);
      await pause(everyMs, signal);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    return before;
  }
}

function told(before: Report | null, report: Report, request: CheckRequest, { stdout }: Terminal): string {
  if (before === null || request.format !== 'text') return formatted(report, request, stdout);
  const columns = columnsOf(stdout);
  const paint = paintFor(stdout);
  const view = reportView(report);
  const difference = differenceText(reportDifference(reportView(before), view), columns, paint);
  if (report.offline) return `${view.headline.text}\n`;
  const time = `${report.checkedAt.slice(11, 19)} UTC`;
  if (difference === '') {
    const { fail, warn } = report.counts;
    return request.isQuiet ? '' : `${time}: nothing has changed, ${fail} fail and ${counted(warn, 'warning')}\n`;
  }
  return `\n${paint(['bold'], time)}\n${headLines(view, columns, paint).join('\n')}\n\n${difference}`;
}
