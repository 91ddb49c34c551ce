import { setTimeout as delay } from 'node:timers/promises';
import { checkDomain } from '../app/check.ts';
import { isGreen, type Report } from '../check/report.ts';
import { reportView } from '../check/report-view.ts';
import { areaOf, type Rule } from '../check/rule.ts';
import { ruleList, rulePage } from '../check/rule-pages.ts';
import { RULES } from '../check/rules.ts';
import { badgeEndpoint, reportBadge } from '../report/badge.ts';
import { reportDifference } from '../report/difference.ts';
import { reportJunit } from '../report/junit.ts';
import { reportMarkdown } from '../report/markdown.ts';
import { differenceText, headLines, reportText } from '../report/text.ts';
import { counted } from '../report/text-blocks.ts';
import type { ReportView } from '../report/view.ts';
import { abortOnSignal, unlessAborted } from '../shutdown.ts';
import { type Help, type Run, type Terminal, UsageError, writeResult } from './command.ts';
import { type CheckOptions, type CheckRequest, checkRequestOf, unknownRule } from './input/check-request.ts';
import { paintFor } from './output/output.ts';
import { OutputError, type OutputFile, prepareOutput } from './output/output-file.ts';
import { columnsOf } from './output/table.ts';

export const help: Help = {
  argument: 'the domain to check, with its port when it is not 443; or http://127.0.0.1:PORT',
  options: [
    ['--only <list>', 'check only these rules or areas, for example tls,config-cors'],
    ['--skip <list>', 'check all but these rules or areas'],
    ['--strict', 'treat warnings as failures: in the exit code, in JUnit, for --watch'],
    ['--watch', 'repeat the check until nothing fails, and print the changes'],
    ['--interval <seconds>', 'with --watch: seconds between two checks, 60 or more (default: 120)'],
    ['--quiet', 'print only problems; nothing when there are none'],
    ['--markdown', 'print the report as Markdown, for an issue or a chat'],
    [
      '--junit [file]',
      'write the report as JUnit XML; to stdout with -, or without a file (then put this after the domain)',
    ],
    ['--badge <file>', 'write a badge, as SVG; as JSON for shields.io when its name ends in .json'],
    ['--rules', 'list all rules'],
    ['--rule <id>', 'describe one rule: what it checks, why, its cure'],
  ],
  more: `Checks DNS, TLS, HTTP, robots.txt, configuration, NodeInfo, API, OAuth and
federation of one server with at most 40 requests in 60 seconds. Reports what a
directory will show, how several clients see the server, and a cure for each
problem. Needs no database, stores nothing and changes nothing on the server.
The only requests other than GET are harmless: a CORS preflight, empty JSON
objects posted to OAuth, to the registration of apps and to the shared inbox
(not with --skip federation-inbox), and the headers of an upload without a body
(not with --skip http-upload-limit).

A server on this machine is checked over http, at 127.0.0.1, localhost or [::1]:
DNS, TLS and reachability from outside are not judged then.

Areas: dns, tls, http, robots, config, nodeinfo, agreement, api, oauth,
federation. A check sends up to ten requests to the API, and a server accepts 60
a minute and 700 an hour, so --watch pauses for at least a minute.

With --json: domain, verdict, reason, via, steps, instance, clients, counts,
findings (id, area, severity, title, detail, cure) and more; with --watch one
line per check. In JUnit, an area is a suite and a rule is a test; a warning is
output of a passed test, or a failure with --strict.

Exit code: 0; 1 when a finding is "fail", or when the verdict is not "loops",
even if --only or --skip leaves out the rule that reports it; 2 for a usage or
settings error; 3 when this machine is offline, so that nothing was checked.`,
  examples: [
    'loopscout check loops.example',
    'loopscout check loops.example --only tls,dns --quiet',
    'loopscout check loops.example --junit check.xml --badge check.svg',
    'loopscout check loops.example --watch',
    'loopscout check http://127.0.0.1:8089',
  ],
};

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
    if (options.rule !== undefined) {
      const rule = ruleOf(rules, options.rule);
      writeResult(invocation, ruleJson(rule), () => rulePage(rule));
      return 0;
    }
    if (options.rules === true) {
      writeResult(invocation, rules.map(ruleJson), () => ruleList(rules, columnsOf(stdout), paintFor(stdout)));
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

/** @throws {UsageError} when there is no such rule. */
function ruleOf(rules: readonly Rule[], id: string): Rule {
  const rule = rules.find((one) => one.id === id);
  if (rule === undefined) throw new UsageError(unknownRule(id, rules));
  return rule;
}

function ruleJson({ id, worst, title, checks, why, sources, cure }: Rule) {
  return { id, area: areaOf({ id }), worst, title, checks, why, sources, cure };
}

interface WatchParts {
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
async function watchUntilGreen(request: CheckRequest, everyMs: number, parts: WatchParts): Promise<Report | null> {
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

function formatReport(report: Report, request: CheckRequest, stdout: Terminal['stdout']): string {
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
type WriteFiles = (report: Report) => Promise<void>;

/**
 * Tests, before the check, that the requested files can be written.
 *
 * @returns the function that writes all of them; it rejects with an OutputError that names every file that failed.
 * @throws {UsageError} when a file cannot be written.
 */
async function prepareFiles(request: CheckRequest): Promise<WriteFiles> {
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
