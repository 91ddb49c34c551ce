import { checkDomain } from '../app/check.ts';
import { isGreen, type Report } from '../check/report.ts';
import type { Rule } from '../check/rule.ts';
import { ruleList, rulePage } from '../check/rule-pages.ts';
import { RULES } from '../check/rules.ts';
import type { Paint } from '../model/text/terminal-text.ts';
import { abortOnSignal } from '../shutdown.ts';
import { type WatchParts, watchUntilGreen } from './check-watch.ts';
import { type Run, UsageError } from './command.ts';
import { type CheckOptions, type CheckRequest, checkRequestOf, unknownRule } from './input/check-request.ts';
import { formatReport, prepareFiles } from './output/check-output.ts';
import { paintFor } from './output/output.ts';
import { columnsOf } from './output/table.ts';

/** The parts that a test replaces: network and time. */
export interface CheckParts {
  check: (request: CheckRequest, signal: AbortSignal) => Promise<Report>;
  rules: readonly Rule[];
  pause?: WatchParts['pause'];
}

/**
 * `check DOMAIN`: the operator's report, live. Exit code 1 when a finding is `fail` or the verdict is not `loops`, 3 when this machine is
 * offline.
 */
export function createCheck({ check, rules, pause }: CheckParts): Run<CheckOptions> {
  return async (invocation) => {
    const { options, terminal, outputFailed } = invocation;
    const { stdout, stderr } = terminal;
    const format = { isJson: options.json === true, columns: columnsOf(stdout), paint: paintFor(stdout) };
    if (options.rules === true || options.rule !== undefined) {
      stdout.write(options.rule === undefined ? rulesText(rules, format) : ruleText(rules, options.rule, format));
      return 0;
    }
    const request = checkRequestOf(invocation, rules);
    const writeFiles = await prepareFiles(request);
    using interrupt = abortOnSignal();
    const signal = AbortSignal.any([interrupt.signal, outputFailed]);
    const checkOnce = () => check(request, signal);
    let report: Report | null;
    if (request.watchEveryMs === null) {
      report = await unlessAborted(signal, checkOnce);
      if (report !== null) {
        stdout.write(formatReport(report, request, stdout));
        await writeFiles(report);
      }
    } else {
      const parts = { checkOnce, writeFiles, terminal, signal, pause };
      report = await watchUntilGreen(request, request.watchEveryMs, parts);
    }
    if (interrupt.signal.aborted) stderr.write('stopped\n');
    if (report?.offline === true) return 3;
    return report !== null && isGreen(report, request.isStrict) ? 0 : 1;
  };
}

export const run = createCheck({
  check: ({ settings, domain, only, skip }, signal) =>
    checkDomain(settings, domain, { only, skip, signal, isForOperator: true }),
  rules: RULES,
});

async function unlessAborted(signal: AbortSignal, checkOnce: () => Promise<Report>): Promise<Report | null> {
  try {
    return await checkOnce();
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

interface OutputFormat {
  isJson: boolean;
  columns: number;
  paint: Paint;
}

/** The output of `check --rules`. */
function rulesText(rules: readonly Rule[], { isJson, columns, paint }: OutputFormat): string {
  return isJson ? `${JSON.stringify(rules.map(ruleJson), null, 2)}\n` : ruleList(rules, columns, paint);
}

/**
 * The output of `check --rule ID`.
 *
 * @throws {UsageError} when there is no such rule.
 */
function ruleText(rules: readonly Rule[], id: string, { isJson }: Pick<OutputFormat, 'isJson'>): string {
  const rule = rules.find((one) => one.id === id);
  if (rule === undefined) throw new UsageError(unknownRule(id, rules));
  return isJson ? `${JSON.stringify(ruleJson(rule), null, 2)}\n` : rulePage(rule);
}

function ruleJson({ id, area, worst, title, checks, why, sources, cure }: Rule): Omit<Rule, 'judge'> {
  return { id, area, worst, title, checks, why, sources, cure };
}
