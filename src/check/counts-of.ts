import type { Finding, Report } from './report.ts';

/** How many findings of each severity there are. */
export function countsOf(findings: readonly Finding[]): Report['counts'] {
  const count = (severity: Finding['severity']) => findings.filter((finding) => finding.severity === severity).length;
  return { pass: count('pass'), info: count('info'), warn: count('warn'), fail: count('fail') };
}
