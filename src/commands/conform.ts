import { abortOnSignal } from '../app/app.ts';
import { type ConformRun, conform } from '../conform/conform.ts';
import { clauseList, plannedProbes, planText } from '../conform/report/listing.ts';
import { resultsText } from '../conform/report/text.ts';
import { VERSION } from '../version.ts';
import type { Run } from './command.ts';
import { type ConformFlags, conformRequestOf } from './input/conform-request.ts';
import { prepareResults } from './output/conform-output.ts';
import { paintFor } from './output/output.ts';
import { columnsOf } from './output/table.ts';

/**
 * `conform URL`: the specification, clause by clause, against a server. Exit code 1 when a clause fails that was not expected to, or the
 * other way round; 3 when the server could not be reached, or no clause could be
 * decided.
 */
export const run: Run<ConformFlags> = async (invocation) => {
  const { options, terminal, outputLost } = invocation;
  const { stdout, stderr } = terminal;
  const columns = columnsOf(stdout);
  const printJson = (value: unknown) => stdout.write(`${JSON.stringify(value, null, 2)}\n`);
  const request = await conformRequestOf(invocation);
  const { target, clauses } = request;
  if (options.list === true || target === null) {
    if (options.json === true)
      printJson(
        clauses.map(({ id, section, level, sentence, rfc }) => ({ id, section, level, sentence, rfc: rfc ?? null })),
      );
    else stdout.write(clauseList(clauses, columns));
    return 0;
  }
  if (options.dryRun === true) {
    const planned = plannedProbes(clauses, request);
    if (options.json === true) printJson(planned);
    else stdout.write(planText(planned, target.base, columns));
    return 0;
  }
  const writeFiles = await prepareResults(request.outFolder);
  using interrupt = abortOnSignal();
  const signal = AbortSignal.any([interrupt.signal, outputLost]);
  let finished: ConformRun;
  try {
    finished = await conform({ ...request, base: target.base, tool: `Loopscout ${VERSION}`, signal });
  } catch (error) {
    if (!signal.aborted) throw error;
    if (interrupt.signal.aborted) stderr.write('stopped\n');
    return 1;
  }
  const { results } = finished;
  if (options.json === true) printJson(results);
  else stdout.write(resultsText(results, { columns, paint: paintFor(stdout), quiet: options.quiet === true }));
  await writeFiles(finished);
  if (!results.isReached || !results.isDecided) return 3;
  return results.isConformant ? 0 : 1;
};
