import { WORST_FIRST } from '../report/severity.ts';
import type { Finding } from './report.ts';
import { AREAS } from './rule.ts';

/** Findings as a report has them: fails first, then by area; else as they were. */
export function inOrder(findings: readonly Finding[]): Finding[] {
  const rank = ({ severity, area }: Finding) => WORST_FIRST.indexOf(severity) * AREAS.length + AREAS.indexOf(area);
  return findings.toSorted((one, other) => rank(one) - rank(other));
}
