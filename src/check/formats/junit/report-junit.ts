import { xmlText } from '../../../record/xml-text.ts';
import type { Finding, Report } from '../../report.ts';
import { AREAS } from '../../rule.ts';
import { blocksOf, paragraphsOf, proseLine } from '../told/blocks.ts';
import { headlineOf, whyNot } from '../told/headline.ts';

export interface ReportJunitOptions {
  /** Whether a warning is a failure. Otherwise its test case passes, and tells of it as its output. */
  isStrict: boolean;
}

interface Case {
  name: string;
  /** What failed, and the whole of it; null for a test that passed. */
  failure: { type: string; message: string; text: string } | null;
  output: string | null;
}

/**
 * A report in the XML of JUnit as CI servers read it (Ant's, with the additions of Jenkins): an area is a suite, a rule is a test case
 * under its id, and a suite `verdict` fails when the server is none of the service.
 */
export function reportJunit(report: Report, { isStrict }: ReportJunitOptions): string {
  const suites = [
    { name: 'verdict', cases: [verdictCase(report)] },
    ...AREAS.map((area) => {
      const findings = report.findings.filter((finding) => finding.area === area);
      return { name: area, cases: findings.map((finding) => caseOf(finding, isStrict)) };
    }).filter(({ cases }) => cases.length > 0),
  ];
  const all = suites.flatMap(({ cases }) => cases);
  const seconds = (report.durationMs / 1_000).toFixed(3);
  const heads = suites.map(({ name, cases }, index) => {
    const time = index === 0 ? seconds : '0.000';
    const head = `  <testsuite name="${name}" ${totals(cases)} time="${time}" timestamp="${xmlText(report.checkedAt.slice(0, 19))}" hostname="${attribute(report.domain)}">`;
    return [head, ...cases.map((one) => caseText(one, `${report.domain}.${name}`)), '  </testsuite>'].join('\n');
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${attribute(`loopscout check ${report.domain}`)}" ${totals(all)} time="${seconds}">`,
    ...heads,
    '</testsuites>',
    '',
  ].join('\n');
}

function verdictCase(report: Report): Case {
  const { text } = headlineOf(report);
  const why = { type: 'fail', message: whyNot(report), text };
  return { name: 'is-loops', failure: report.verdict === 'loops' ? null : why, output: null };
}

function caseOf({ id, severity, title, detail, cure }: Finding, isStrict: boolean): Case {
  const text = [
    `wanted: ${proseLine(title, 300)}`,
    `found: ${paragraphsOf(detail).join('\n')}`,
    ...(cure === null ? [] : [`cure: ${told(cure)}`]),
  ];
  if (severity === 'fail' || (severity === 'warn' && isStrict)) {
    return {
      name: id,
      failure: { type: severity, message: proseLine(detail, 300), text: text.join('\n') },
      output: null,
    };
  }
  return { name: id, failure: null, output: severity === 'pass' ? null : [severity, ...text].join('\n') };
}

function told(text: string): string {
  return blocksOf(text)
    .map((block) => (block.kind === 'prose' ? block.text : block.lines.map((line) => `    ${line}`).join('\n')))
    .join('\n');
}

function caseText({ name, failure, output }: Case, className: string): string {
  const head = `    <testcase name="${attribute(name)}" classname="${attribute(className)}" time="0.000"`;
  const parts = [
    ...(failure === null
      ? []
      : [
          `      <failure message="${attribute(failure.message)}" type="${failure.type}">${xmlText(failure.text)}</failure>`,
        ]),
    ...(output === null ? [] : [`      <system-out>${xmlText(output)}</system-out>`]),
  ];
  return parts.length === 0 ? `${head}/>` : [`${head}>`, ...parts, '    </testcase>'].join('\n');
}

function totals(cases: readonly Case[]): string {
  return `tests="${cases.length}" failures="${cases.filter(({ failure }) => failure !== null).length}" errors="0" skipped="0"`;
}

function attribute(text: string): string {
  return xmlText(proseLine(text));
}
