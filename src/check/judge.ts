import { cleanText } from '../model/text/clean-text.ts';
import { WORST_FIRST } from '../report/severity.ts';
import type { Evidence } from './evidence.ts';
import type { Finding, NotJudged } from './report.ts';
import { AREAS, areaOf, type Judgement, type Rule } from './rule.ts';

/** The findings of the rules: fails first, then by area, then in the order of the rules. A rule that throws becomes a finding. */
export function judge(rules: readonly Rule[], evidence: Evidence): Finding[] {
  return sortFindings(rules.flatMap((rule) => findingOf(rule, evidence) ?? []));
}

/** The rules without a finding: their subject is missing, they do not apply, or another rule reports the cause. */
export function notJudged(rules: readonly Rule[], findings: readonly Finding[]): NotJudged[] {
  const judged = new Set(findings.map(({ id }) => id));
  return rules.flatMap((rule) => (judged.has(rule.id) ? [] : [{ id: rule.id, area: areaOf(rule), title: rule.title }]));
}

function findingOf(rule: Rule, evidence: Evidence): Finding | null {
  const { id, title } = rule;
  const area = areaOf(rule);
  try {
    const judgement = rule.judge(evidence);
    if (judgement === null) return null;
    const { severity, detail } = judgement;
    return { id, area, title, cure: cureOf(rule, judgement, evidence), severity, detail };
  } catch (error) {
    const problem = cleanText(error instanceof Error ? `${error.name}: ${error.message}` : String(error), 300);
    return {
      id,
      area,
      severity: 'info',
      title: `The rule ${id} works`,
      detail: `The rule failed: this is a bug of Loopscout, not a fault of the server. Please report it with the name of the server and this text: ${problem}`,
      cure: null,
    };
  }
}

/** Stable order: fails first, then by area. */
function sortFindings(findings: readonly Finding[]): Finding[] {
  const rank = ({ severity, area }: Finding) => WORST_FIRST.indexOf(severity) * AREAS.length + AREAS.indexOf(area);
  return findings.toSorted((a, b) => rank(a) - rank(b));
}

const GENERAL_CURE =
  'This server does not run Loops, so there are no lines to paste: the documentation of its software, or of the proxy in front of it, describes this setting.';

/** A cure for Loops is replaced when the server runs other software; a misspelled name still means Loops. */
function cureOf(rule: Rule, judgement: Judgement, { visit, softwareId }: Evidence): string | null {
  if (judgement.severity === 'pass' || judgement.severity === 'info') return null;
  const isOther = visit.verdict === 'other' && visit.software?.trim().toLowerCase() !== softwareId.toLowerCase();
  return rule.cureFor === 'loops' && isOther ? GENERAL_CURE : (judgement.cure ?? rule.cure);
}
