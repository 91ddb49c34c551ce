import { type ConformOptions, type ConformRun, conform } from '../conform/conform.ts';
import { clauseList, plannedProbes, planText } from '../conform/report/listing.ts';
import { resultsText } from '../conform/report/text.ts';
import { abortOnSignal } from '../shutdown.ts';
import { VERSION } from '../version.ts';
import { ClientError } from './client-under-test.ts';
import type { Invocation, Run } from './command.ts';
import { type ConformTest, clientTest } from './conform-client.ts';
import type { ConformClientFlags } from './input/conform-client-request.ts';
import { type ConformFlags, conformRequestOf } from './input/conform-request.ts';
import { prepareResults } from './output/conform-output.ts';
import { paintFor } from './output/output.ts';
import { columnsOf } from './output/table.ts';

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
  const printJson = (value: unknown) => stdout.write(`${JSON.stringify(value, null, 2)}\n`);
  const test = await (options.client === true ? clientTest(invocation) : serverTest(invocation));
  const { clauses, planned, execute, outFolder } = test;
  if (options.list === true || execute === null) {
    if (options.json === true)
      printJson(
        clauses.map(({ id, section, level, sentence, rfc }) => ({ id, section, level, sentence, rfc: rfc ?? null })),
      );
    else stdout.write(clauseList(clauses, columns));
    return 0;
  }
  if (planned !== null) {
    if (options.json === true) printJson(planned.probes);
    else stdout.write(planText(planned.probes, planned.base, columns));
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
  if (options.json === true) printJson(results);
  else stdout.write(resultsText(results, { columns, paint: paintFor(stdout), quiet: options.quiet === true }));
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
