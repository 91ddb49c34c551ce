import { type JunitCase, junitXml } from '../../report/junit.ts';
import type { ClauseResult, Results } from '../results.ts';
import { nameOf, sectionResults } from './groups.ts';

/** Results in the XML of JUnit: a section is a suite, a clause a test case. An expected failure is skipped. */
export function resultsJunit(results: Results): string {
  const report = { command: 'loopscout conform', subject: nameOf(results), startedAt: results.startedAt };
  const suites = sectionResults(results).map(({ section, title, clauses }) => ({
    name: `${section} ${title}`,
    durationMs: 0,
    cases: clauses.map(caseOf),
  }));
  return junitXml(report, suites);
}

function caseOf(clause: ClauseResult): JunitCase {
  const { id, verdict, level, expected, why, isUnanswered } = clause;
  if (isUnanswered && expected === null) {
    return { id, failure: { type: level, message: `not decided: ${why}`, text: details(clause) } };
  }
  if (verdict === 'skipped' || verdict === 'not shown') return { id, skipped: `${verdict}: ${why}` };
  if (verdict === 'fail' && expected !== null) return { id, skipped: `expected failure: ${expected}` };
  if (verdict === 'fail') return { id, failure: { type: level, message: why ?? '', text: details(clause) } };
  if (verdict === 'warning') return { id, output: details(clause) };
  if (expected === null) return { id };
  const message = 'passed, but was expected to fail';
  return { id, failure: { type: level, message, text: `${message}: ${expected}` } };
}

/** What was wanted, found, sent and received, in lines. */
function details({ section, rfc, sentence, why, exchanges }: ClauseResult): string {
  return [
    `wanted: ${sentence} (section ${section}${rfc === null ? '' : `, ${rfc}`})`,
    `found: ${why}`,
    ...exchanges.flatMap(({ request, sent, received, curl }) => [
      `request: ${request}`,
      ...(sent === null ? [] : [`sent: ${sent}`]),
      `received: ${received}`,
      ...(curl === null ? [] : [`to repeat this: ${curl}`]),
    ]),
  ].join('\n');
}
