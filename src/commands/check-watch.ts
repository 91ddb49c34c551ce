import { setTimeout as delay } from 'node:timers/promises';
import { isGreen, type Report } from '../check/report.ts';
import { reportView } from '../check/report-view.ts';
import { reportDifference } from '../report/difference.ts';
import { differenceText, headLines } from '../report/text.ts';
import { counted } from '../report/text-blocks.ts';
import type { Terminal } from './command.ts';
import type { CheckRequest } from './input/check-request.ts';
import { formatReport, type WriteFiles } from './output/check-output.ts';
import { paintFor } from './output/output.ts';
import { columnsOf } from './output/table.ts';

export interface WatchParts {
  checkOnce: () => Promise<Report>;
  writeFiles: WriteFiles;
  terminal: Terminal;
  signal: AbortSignal;
  /** Waits between two checks; rejects when the signal aborts. */
  pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/**
 * Repeats the check until the report is green. As text, prints the first report in full, then only the differences; in another
 * format, prints every report in full.
 *
 * @returns the green report. When interrupted: the last report that was not offline, or null.
 */
export async function watchUntilGreen(
  request: CheckRequest,
  everyMs: number,
  parts: WatchParts,
): Promise<Report | null> {
  const {
    checkOnce,
    writeFiles,
    terminal,
    signal,
    pause = (ms, pauseSignal) => delay(ms, undefined, { signal: pauseSignal }),
  } = parts;
  let before: Report | null = null;
  try {
    for (;;) {
      const report = await checkOnce();
      terminal.stdout.write(textOf(before, report, request, terminal));
      await writeFiles(report);
      // An offline report is not used for the next comparison.
      if (!report.offline) before = report;
      if (isGreen(report, request.isStrict)) return report;
      if (terminal.stderr.isTTY === true)
        terminal.stderr.write(`next check in ${everyMs / 1_000} s; stop with Ctrl+C\n`);
      await pause(everyMs, signal);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    return before;
  }
}

function textOf(before: Report | null, report: Report, request: CheckRequest, { stdout }: Terminal): string {
  if (before === null || request.format !== 'text') return formatReport(report, request, stdout);
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
