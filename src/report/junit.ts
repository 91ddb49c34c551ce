import { html as xml } from 'ghtml';
import type { TextBlock } from './text-blocks.ts';
import type { FindingView, ReportView } from './view.ts';

export interface ReportJunitOptions {
  /** Whether a warning is a failure. Otherwise its test case passes, with the warning as its output. */
  isStrict: boolean;
}

/** One test case; it passes if it has neither a `failure` nor the reason why it was `skipped`. */
export interface JunitCase {
  readonly id: string;
  readonly failure?: { readonly type: string; readonly message: string; readonly text: string };
  readonly skipped?: string;
  readonly output?: string;
}

/** Characters that XML 1.0 allows nowhere. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

const NOT_JUDGED = 'not judged: it does not apply, its subject is missing, or another rule reports the cause';

export interface JunitSuite {
  readonly name: string;
  readonly durationMs: number;
  readonly cases: readonly JunitCase[];
}

/**
 * A report in the JUnit XML that CI servers read (the format of Ant with the additions of Jenkins): a group is a suite, a rule is a test case
 * under its id, and the suite `verdict` fails when the verdict has a problem.
 */
export function reportJunit(view: ReportView, { isStrict }: ReportJunitOptions): string {
  const { id, problem } = view.verdict;
  const verdict: JunitCase =
    problem === null ? { id } : { id, failure: { type: 'fail', message: problem, text: view.headline.text } };
  const suites: JunitSuite[] = [
    { name: 'verdict', durationMs: view.durationMs, cases: [verdict] },
    ...view.groups.map((group) => ({
      name: group.id,
      durationMs: 0,
      cases: [
        ...group.findings.map((finding) => caseOf(finding, isStrict)),
        ...(group.skipped ?? []).map((id): JunitCase => ({ id, skipped: NOT_JUDGED })),
      ],
    })),
  ];
  return junitXml(view, suites);
}

/** A document of JUnit about one subject. */
export function junitXml(
  report: Pick<ReportView, 'command' | 'subject' | 'startedAt'>,
  suites: readonly JunitSuite[],
): string {
  const document = xml`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${report.command} ${report.subject}" !${countAttributes(suites.flatMap(({ cases }) => cases))}>
!${suites.map((suite) => suiteXml(suite, report)).join('\n')}
</testsuites>
`;
  return document.replaceAll(FORBIDDEN, '');
}

function caseOf({ id, severity, title, detail, brief, cure }: FindingView, isStrict: boolean): JunitCase {
  const lines = [
    `wanted: ${title}`,
    `found: ${detail.join('\n')}`,
    ...(cure === null ? [] : [`cure: ${cure.map(plainText).join('\n')}`]),
  ];
  if (severity === 'fail' || (severity === 'warn' && isStrict)) {
    return { id, failure: { type: severity, message: brief, text: lines.join('\n') } };
  }
  return severity === 'pass' ? { id } : { id, output: [severity, ...lines].join('\n') };
}

function suiteXml(
  { name, durationMs, cases }: JunitSuite,
  { subject, startedAt }: Pick<ReportView, 'subject' | 'startedAt'>,
): string {
  // A timestamp of JUnit has no fraction and no time zone.
  const openTag = xml`  <testsuite name="${name}" time="${durationMs / 1_000}" timestamp="${startedAt.slice(0, 19)}" !${countAttributes(cases)}`;
  if (cases.length === 0) return `${openTag}/>`;
  return `${openTag}>\n${cases.map((each) => caseXml(each, `${subject}.${name}`)).join('\n')}\n  </testsuite>`;
}

function caseXml({ id, failure, skipped, output }: JunitCase, className: string): string {
  const openTag = xml`    <testcase name="${id}" classname="${className}" time="0"`;
  const content =
    failure !== undefined
      ? xml`<failure message="${failure.message}" type="${failure.type}">!${cdata(failure.text)}</failure>`
      : skipped !== undefined
        ? xml`<skipped message="${skipped}"/>`
        : output !== undefined
          ? `<system-out>${cdata(output)}</system-out>`
          : null;
  return content === null ? `${openTag}/>` : `${openTag}>\n      ${content}\n    </testcase>`;
}

function countAttributes(cases: readonly JunitCase[]): string {
  const failures = cases.filter(({ failure }) => failure !== undefined).length;
  const skipped = cases.filter((each) => each.skipped !== undefined).length;
  return `tests="${cases.length}" failures="${failures}" errors="0" skipped="${skipped}"`;
}

/** `]]>` would end the section. */
function cdata(text: string): string {
  return `<![CDATA[${text.replaceAll(']]>', ']] >')}]]>`;
}

function plainText(block: TextBlock): string {
  return block.kind === 'prose' ? block.text : block.lines.map((line) => `    ${line}`).join('\n');
}
