import { countsOf } from './counts-of.ts';
import { inOrder } from './in-order.ts';
import { isDeepRule } from './is-deep-rule.ts';
import type { Report } from './report.ts';

/**
 * A later report with what a deep check found before, which it could not see: otherwise that would look as if it were cured. A report
 * of a deep check stays as it is.
 */
export function keepDeep(deep: Report, later: Report): Report {
  if (later.deep) return later;
  const kept = deep.findings.filter(({ id }) => isDeepRule(id));
  const findings = inOrder([...later.findings, ...kept]);
  return { ...later, left: deep.left, findings, counts: countsOf(findings) };
}
