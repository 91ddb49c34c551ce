import { expect } from 'vitest';
import type { Evidence } from '../../src/check/evidence.ts';
import { agreementRules } from '../../src/check/rules/agreement.ts';
import { configRules } from '../../src/check/rules/config.ts';
import { nodeinfoRules } from '../../src/check/rules/nodeinfo.ts';
import { robotsRules } from '../../src/check/rules/robots.ts';
import { type EvidenceOverrides, evidenceOf } from './evidence-of.ts';

/** All rules that judge documents. */
export const DOCUMENT_RULES = [...robotsRules, ...configRules, ...nodeinfoRules, ...agreementRules];

/** Findings other than passes, as `config-json fail`. */
export function problemsOf(evidence: Evidence): string[] {
  return DOCUMENT_RULES.flatMap((rule) => {
    const severity = rule.judge(evidence)?.severity ?? 'pass';
    return severity === 'pass' ? [] : [`${rule.id} ${severity}`];
  });
}

/** A fault, the expected finding, and a pattern for its detail. */
export type Case = [fault: string, broken: EvidenceOverrides, found: string, detail: RegExp];

/**
 * The fault is reported once, by the rule for its cause and by no other; on the healthy server, to which the cure leads, that
 * rule passes.
 */
export function expectFound(broken: EvidenceOverrides, found: string, detail: RegExp): void {
  const evidence = evidenceOf(broken);
  expect(problemsOf(evidence)).toEqual([found]);
  const [id, severity] = found.split(' ');
  const rule = DOCUMENT_RULES.find((candidate) => candidate.id === id);
  const judgement = rule?.judge(evidence);
  expect(judgement?.detail).toMatch(detail);
  expect(rank(severity), `severity limit of ${id}`).toBeLessThanOrEqual(rank(rule?.worst));
  if (judgement?.severity === 'warn' || judgement?.severity === 'fail') expect(judgement.cure.trim()).not.toBe('');
  expect(rule?.judge(evidenceOf(curedOverrides(broken)))?.severity, `${id}, cured`).toBe('pass');
}

/** The overrides after the cure: none for the server itself; a known newest release is then the one that it runs. */
function curedOverrides({ newestVersion }: EvidenceOverrides): EvidenceOverrides {
  return newestVersion === undefined ? {} : { newestVersion: '1.0.0-beta.14' };
}

function rank(severity: string | undefined): number {
  return ['pass', 'info', 'warn', 'fail'].indexOf(severity ?? '');
}
