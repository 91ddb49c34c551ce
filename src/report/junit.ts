import junit, { type Builder, type TestCase } from 'junit-report-builder';
import type { TextBlock } from './text-blocks.ts';
import type { FindingView, ReportView } from './view.ts';

// The types of the package describe its ES module; Node loads the CommonJS module, which is the default export.
const builder = junit as unknown as Builder;

export interface ReportJunitOptions {
  /** Whether a warning is a failure. Otherwise its test case passes, with the warning as its output. */
  isStrict: boolean;
}

/**
 * A report in the XML of JUnit as CI servers read it (Ant's, with the additions of Jenkins): a group is a suite, a rule is a test case
 * under its id, and the suite `verdict` fails when the verdict has a problem.
 */
export function reportJunit(view: ReportView, { isStrict }: ReportJunitOptions): string {
  const report = builder.newBuilder().name(`${view.command} ${view.subject}`);
  const addSuite = (name: string, durationMs = 0) => {
    const created = report
      .testSuite()
      .name(name)
      .time(durationMs / 1_000)
      .timestamp(view.startedAt.slice(0, 19));
    return (id: string) => created.testCase().name(id).className(`${view.subject}.${name}`).time(0);
  };
  const { id, problem } = view.verdict;
  const verdict = addSuite('verdict', view.durationMs)(id);
  if (problem !== null) fail(verdict, 'fail', problem, view.headline.text);
  for (const group of view.groups) {
    const addCase = addSuite(group.id);
    for (const finding of group.findings) describe(addCase(finding.id), finding, isStrict);
  }
  return `${report.build()}\n`;
}

function describe(test: TestCase, { severity, title, detail, brief, cure }: FindingView, isStrict: boolean): void {
  const lines = [
    `wanted: ${title}`,
    `found: ${detail.join('\n')}`,
    ...(cure === null ? [] : [`cure: ${cure.map(plain).join('\n')}`]),
  ];
  if (severity === 'fail' || (severity === 'warn' && isStrict)) fail(test, severity, brief, lines.join('\n'));
  else if (severity !== 'pass') test.standardOutput(inCdata([severity, ...lines].join('\n')));
}

function fail(test: TestCase, type: string, message: string, text: string): void {
  test.failure(message, type).stacktrace(inCdata(text));
}

/** The package escapes only the first end of a CDATA section in a text. */
function inCdata(text: string): string {
  return text.replaceAll(']]>', ']] >');
}

function plain(block: TextBlock): string {
  return block.kind === 'prose' ? block.text : block.lines.map((line) => `    ${line}`).join('\n');
}
