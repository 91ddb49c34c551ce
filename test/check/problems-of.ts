import { expect } from 'vitest';
import type { Evidence } from '../../src/check/evidence.ts';
import { agreementRules } from '../../src/check/rules/agreement.ts';
import { configRules } from '../../src/check/rules/config.ts';
import { nodeinfoRules } from '../../src/check/rules/nodeinfo.ts';
import { robotsRules } from '../../src/check/rules/robots.ts';
import { type EvidenceOverrides, evidenceOf } from './evidence-of.ts';

/** All rules that judge documents. */
export const DOCUMENT_RULES = [...robotsRules, ...configRules, ...nodeinfoRules, ...agreementRules];

/** The findings of the document rules other than passes, as `config-json fail`. */
export function problemsOf(evidence: Evidence): string[] {
  return DOCUMENT_RULES.flatMap((rule) => {
    const severity = rule.judge(evidence)?.severity ?? 'pass';
    return severity === 'pass' ? [] : [`${rule.id} ${severity}`];
  });
}

/** A fault, the evidence of it, the expected finding (`config-json fail`), and a pattern for the detail of the finding. */
export type Case = [fault: string, broken: EvidenceOverrides, finding: string, detail: RegExp];

/**
 * Asserts that only the expected rule reports the fault, and that the rule passes on the healthy server. The finding must not
 * exceed the worst severity of the rule, and must have a cure if it is a warning or a failure.
 */
export function expectFinding(broken: EvidenceOverrides, finding: string, detail: RegExp): void {
  const evidence = evidenceOf(broken);
  expect(problemsOf(evidence)).toEqual([finding]);
  const [id, severity] = finding.split(' ');
  const rule = DOCUMENT_RULES.find((candidate) => candidate.id === id);
  const judgement = rule?.judge(evidence);
  expect(judgement?.detail).toMatch(detail);
  expect(rank(severity), `severity limit of ${id}`).toBeLessThanOrEqual(rank(rule?.worst));
  if (judgement?.severity === 'warn' || judgement?.severity === 'fail')
    expect((judgement.cure ?? rule?.cure)?.trim()).not.toBe('');
  expect(rule?.judge(evidenceOf())?.severity, `${id} on the healthy server`).toBe('pass');
}

function rank(severity: string | undefined): number {
  return ['pass', 'info', 'warn', 'fail'].indexOf(severity ?? '');
}
