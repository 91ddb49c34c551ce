import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ConformOptions, type ConformRun, conform } from '../conform/conform.ts';
import { exchangesHar } from '../conform/report/har.ts';
import { resultsHtml } from '../conform/report/html.ts';
import { resultsJunit } from '../conform/report/junit.ts';
import { clauseList, plannedProbes, planText } from '../conform/report/listing.ts';
import { resultsMarkdown } from '../conform/report/markdown.ts';
import { resultsText } from '../conform/report/text.ts';
import { environmentVariable } from '../settings/environment.ts';
import { abortOnSignal } from '../shutdown.ts';
import { VERSION } from '../version.ts';
import { ClientError } from './client-under-test.ts';
import { type Help, type Invocation, type Run, writeResult } from './command.ts';
import { type ConformClientFlags, type ConformTest, clientTest } from './conform-client.ts';
import { type ConformFlags, conformRequestOf } from './input/conform-request.ts';
import { paintFor } from './output/output.ts';
import { prepareOutput } from './output/output-file.ts';
import { columnsOf } from './output/table.ts';

export const help: Help = {
  argument: 'the base URL of the server: https://loops.example, http://127.0.0.1:8089',
  options: [
    ['--profile <profile>', 'spec, or live: with the known differences of live servers (default: spec)'],
    ['--level <level>', 'must, should or may: the lowest level whose violation is a failure (default: must)'],
    ['--only <list>', 'test only these clauses: ids, beginnings of ids, or sections, such as config,2.7'],
    ['--write', 'register an app, get tokens for it and revoke them'],
    ['--apps <number>', 'with --username: 2 registers a second app, for what one cannot show (default: 1)'],
    ['--username <name>', 'with --write: sign in as this user and approve the app'],
    ['--password <password>', 'the password of the user; better in the variable LOOPSCOUT_PASSWORD'],
    ['--approve-button <text>', 'the text of the button that approves, on pages in another language than English'],
    ['--token <token>', 'a token with the scope read; better in the variable LOOPSCOUT_TOKEN'],
    ['--video <id>', 'the id of a public video on the server'],
    ['--expected <file>', 'JSON file of known failures: clause ids with a comment each'],
    ['--out <folder>', 'write results.json, report.html, junit.xml and requests.har'],
    ['--rate <requests>', 'requests per minute (default: 55; no limit for a server on this machine)'],
    ['--timeout <seconds>', 'maximum time of one request (default: 5)'],
    ['--quiet', 'print only what is wrong'],
    ['--list', 'list the clauses'],
    ['--dry-run', 'list the requests that would be sent'],
    ['--client', 'test a client: serve scenarios on this machine, and judge what the client sends'],
    ['--scenario <names...>', 'with --client: only these scenarios'],
    ['--command <command>', 'with --client: operate the client by this shell command, which may contain {url}'],
    ['--exit-code', 'with --command: exit code 0 says that the client takes the server for a Loops server'],
    ['--for <seconds>', 'with --client: the time for one scenario (default: 60 for a command)'],
    ['--pages', 'with --client: show the consent pages instead of approving each request'],
    ['--tls', 'with --client: serve https, with an authority of its own'],
    ['--name <host>', 'with --client: the host in the URL, which the client must resolve to 127.0.0.1'],
  ],
  more: `Sends requests to one server and judges the answers by the clauses of the
specification and of the RFCs behind it. Without --write nothing changes on the
server: the requests other than GET are refused by a server that conforms. With
--write, one app is registered, and each token that it gets is revoked.

Each clause passes, fails, gets a warning, is not shown by this server, or is
skipped because an option or an earlier answer is missing. A failure quotes the
clause, the request, the answer, and a curl command. Secrets are removed from
all output. Only the server of the URL is contacted, and redirects are not
followed, except between its pages for --username. To trust an authority of your
own, set NODE_EXTRA_CA_CERTS.

With --client, a server is started on this machine for each scenario: a denied
request, an expired code, a revoked token, a wrong state, slow answers, 429, and
others. Do with the client what the scenario says and press Enter, or give
--command. Its placeholders: {url}, {domain}, {ca}, {video} and {scenario}.

In a GitHub job, the results are added to the summary of the job.

Exit code: 0; 1 when a clause that --expected does not name fails or depends on
a request that is not answered, or one that it names passes; 2 for a usage
error; 3 when the server cannot be reached, the client sends no request or
cannot be run, no clause can be decided, or the run was interrupted.`,
  examples: [
    'loopscout conform https://loops.example --profile live',
    'loopscout conform http://127.0.0.1:8089 --only 2.5,nodeinfo',
    'loopscout conform http://127.0.0.1:8089 --write --username ada --out results',
    'loopscout conform --list',
    "loopscout conform --client --command './connect.sh {url}'",
  ],
};

/** A shorter pause is not announced. */
const SHOWN_PAUSE_MS = 2_000;

/**
 * `conform URL`: the specification, clause by clause, against a server; `conform --client`: against a client. Exit code 1 when a clause
 * fails unexpectedly, passes although it was expected to fail, or could not be decided because a request was not answered; 3 when the
 * server could not be reached, the user could not sign in, the client sent no request or could not be run, no clause could be decided, or the run was interrupted.
 */
export const run: Run<ConformFlags & ConformClientFlags> = async (invocation) => {
  const { options, terminal, outputFailed } = invocation;
  const { stdout, stderr } = terminal;
  const columns = columnsOf(stdout);
  const test = await (options.client === true ? clientTest(invocation) : serverTest(invocation));
  const { clauses, planned, execute, outFolder } = test;
  if (options.list === true || execute === null) {
    const rows = clauses.map(({ id, section, level, sentence, rfc }) => ({
      id,
      section,
      level,
      sentence,
      rfc: rfc ?? null,
    }));
    writeResult(invocation, rows, () => clauseList(clauses, columns));
    return 0;
  }
  if (planned !== null) {
    writeResult(invocation, planned.probes, () => planText(planned.probes, planned.base, columns));
    return 0;
  }
  const writeFiles = await prepareResults(outFolder, (line) => void stderr.write(`warning: ${line}\n`));
  using interrupt = abortOnSignal();
  const signal = AbortSignal.any([interrupt.signal, outputFailed]);
  let finished: ConformRun;
  try {
    finished = await execute(signal);
  } catch (error) {
    if (error instanceof ClientError) {
      stderr.write(`loopscout: ${error.message}\n`);
      return 3;
    }
    if (!signal.aborted) throw error;
    if (interrupt.signal.aborted) stderr.write('stopped\n');
    return 3;
  }
  const { results } = finished;
  const format = { columns, paint: paintFor(stdout), quiet: options.quiet === true };
  writeResult(invocation, results, () => resultsText(results, format));
  await writeFiles(finished);
  if (!results.isReached || !results.isDecided || results.isInterrupted || results.signInProblem !== null) return 3;
  return results.isConformant ? 0 : 1;
};

/** @throws {UsageError} with one line per problem. */
async function serverTest(invocation: Invocation<ConformFlags>): Promise<ConformTest> {
  const request = await conformRequestOf(invocation);
  const { target, clauses, outFolder } = request;
  if (target === null) return { clauses, outFolder, planned: null, execute: null };
  const { base } = target;
  const { stderr } = invocation.terminal;
  const onWait: ConformOptions['onWait'] = (ms, reason) => {
    if (stderr.isTTY !== true || invocation.options.quiet === true || ms < SHOWN_PAUSE_MS) return;
    const why =
      reason === 'rate' ? `--rate is ${request.perMinute} requests in a minute` : 'the server limits requests';
    stderr.write(`waiting ${Math.ceil(ms / 1_000)} s: ${why}\n`);
  };
  const isDryRun = invocation.options.dryRun === true;
  return {
    clauses,
    outFolder,
    planned: isDryRun ? { base, probes: plannedProbes(clauses, request) } : null,
    execute: (signal) => conform({ ...request, base, tool: `Loopscout ${VERSION}`, signal, onWait }),
  };
}

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
async function prepareResults(
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
