import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConformRun } from '../../conform/conform.ts';
import { exchangesHar } from '../../conform/report/har.ts';
import { resultsHtml } from '../../conform/report/html.ts';
import { resultsJunit } from '../../conform/report/junit.ts';
import { resultsMarkdown } from '../../conform/report/markdown.ts';
import { environmentVariable } from '../../settings/environment.ts';
import { prepareOutput } from './output-file.ts';

/** The files of `--out`. */
const FILES: Readonly<Record<string, (run: ConformRun) => string>> = {
  'results.json': ({ results }) => `${JSON.stringify(results, null, 2)}\n`,
  'report.html': ({ results }) => resultsHtml(results),
  'junit.xml': ({ results }) => resultsJunit(results),
  'requests.har': ({ results, exchanges }) => exchangesHar(exchanges, results.tool),
};

/**
 * Tests, before the run, that the files of `--out` can be written.
 *
 * @param warn prints a line; called when the summary of a GitHub job cannot be written, which is not a failure.
 * @returns the function that writes the files and the summary.
 * @throws {UsageError} when a file cannot be written.
 */
export async function prepareResults(
  folder: string | null,
  warn: (line: string) => void,
): Promise<(run: ConformRun) => Promise<void>> {
  const files = await Promise.all(
    (folder === null ? [] : Object.entries(FILES)).map(async ([name, text]) => {
      return { file: await prepareOutput('--out', join(folder ?? '', name)), text };
    }),
  );
  return async (run) => {
    for (const { file, text } of files) await file.write(text(run));
    const summary = environmentVariable('GITHUB_STEP_SUMMARY');
    if (summary === undefined) return;
    try {
      await appendFile(summary, resultsMarkdown(run.results));
    } catch {
      warn(`the summary of the job could not be written to ${summary} (GITHUB_STEP_SUMMARY)`);
    }
  };
}
