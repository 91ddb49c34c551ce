import type { Report } from '../../check/report.ts';
import { reportView } from '../../check/report-view.ts';
import { badgeEndpoint, reportBadge } from '../../report/badge.ts';
import { reportJunit } from '../../report/junit.ts';
import { reportMarkdown } from '../../report/markdown.ts';
import { reportText } from '../../report/text.ts';
import type { ReportView } from '../../report/view.ts';
import type { Terminal } from '../command.ts';
import type { CheckRequest } from '../input/check-request.ts';
import { paintFor } from './output.ts';
import { OutputError, type OutputFile, prepareOutput } from './output-file.ts';
import { columnsOf } from './table.ts';

export function formatReport(report: Report, request: CheckRequest, stdout: Terminal['stdout']): string {
  switch (request.format) {
    case 'json':
      return `${JSON.stringify(report, null, request.watchEveryMs === null ? 2 : undefined)}\n`;
    case 'markdown':
      return reportMarkdown(reportView(report));
    case 'junit':
      return reportJunit(reportView(report), request);
    case 'badge':
      return reportBadge(reportView(report));
    default:
      return reportText(reportView(report), {
        columns: columnsOf(stdout),
        paint: paintFor(stdout),
        quiet: request.isQuiet,
      });
  }
}

/** Writes the requested files. */
export type WriteFiles = (report: Report) => Promise<void>;

/**
 * Tests, before the check, that the requested files can be written.
 *
 * @returns the function that writes all of them; it rejects with an OutputError that names every file that failed.
 * @throws {UsageError} when a file cannot be written.
 */
export async function prepareFiles(request: CheckRequest): Promise<WriteFiles> {
  const { junitFile, badgeFile } = request;
  const files: [file: OutputFile, text: (view: ReportView) => string][] = [];
  if (junitFile !== null) files.push([await prepareOutput('--junit', junitFile), (view) => reportJunit(view, request)]);
  if (badgeFile !== null)
    files.push([await prepareOutput('--badge', badgeFile), badgeFile.endsWith('.json') ? badgeEndpoint : reportBadge]);
  return async (report) => {
    const view = reportView(report);
    const results = await Promise.allSettled(files.map(([file, text]) => file.write(text(view))));
    const errors = results.flatMap((result): unknown[] => (result.status === 'rejected' ? [result.reason] : []));
    const messages = errors.map((error) => (error instanceof OutputError ? error.message : null));
    if (errors.length > 0) throw messages.includes(null) ? errors[0] : new OutputError(messages.join('\n'));
  };
}
