import { cleanText } from '../model/text/clean-text.ts';
import { WORST_FIRST } from '../report/severity.ts';
import type { Evidence } from './evidence.ts';
import type { Finding } from './report.ts';
import { AREAS, type Judgement, type Rule } from './rule.ts';

/** What the rules find: fails first, then by area, then in the order of the rules. A rule that throws takes nothing else down. */
export function judge(rules: readonly Rule[], evidence: Evidence): Finding[] {
  return inOrder(rules.flatMap((rule) => findingOf(rule, evidence) ?? []));
}

function findingOf(rule: Rule, evidence: Evidence): Finding | null {
  const { id, area, title } = rule;
  try {
    const judgement = rule.judge(evidence);
    return judgement === null
      ? null
      : { id, area, title, cure: null, ...judgement, ...generalCure(rule, judgement, evidence) };
  } catch (error) {
    const problem = cleanText(error instanceof Error ? `${error.name}: ${error.message}` : String(error), 300);
    return {
      id,
      area,
      severity: 'info',
      title: `The rule ${id} can be judged`,
      detail: `It could not: this is a fault of Loopscout and not of the server. Please report it, with the name of the server and these words: ${problem}`,
      cure: null,
    };
  }
}

/** Findings as a report has them: fails first, then by area; else as they were. */
function inOrder(findings: readonly Finding[]): Finding[] {
  const rank = ({ severity, area }: Finding) => WORST_FIRST.indexOf(severity) * AREAS.length + AREAS.indexOf(area);
  return findings.toSorted((one, other) => rank(one) - rank(other));
}

const GENERAL_CURE =
  'This server runs another software than Loops, so there are no lines to paste here: its documentation, or that of the proxy in front of it, tells where this is set.';

/** In place of a cure for Loops alone, where the server names another software. */
function generalCure({ cureFor }: Rule, judgement: Judgement, { visit, softwareId }: Evidence): { cure?: string } {
  if (cureFor !== 'loops' || visit.verdict !== 'other' || !('cure' in judgement)) return {};
  // A name that is misspelt is still that of Loops.
  return visit.software?.trim().toLowerCase() === softwareId.toLowerCase() ? {} : { cure: GENERAL_CURE };
}
