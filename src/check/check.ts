import { type Domain, isLocal } from '../model/domain/domain.ts';
import { cleanText } from '../model/text/clean-text.ts';
import { WORST_FIRST } from '../report/severity.ts';
import { addressed } from './cures.ts';
import { nodeInfoNameOf } from './documents/document.ts';
import { type Evidence, REQUEST_NAMES } from './evidence.ts';
import { CHECK_LIMITS, createBudget, type Limits } from './gather/budget.ts';
import { type GatherParts, gather } from './gather/gather.ts';
import { type ClientView, type Finding, type NotJudged, type Report, reportOf } from './report.ts';
import { AREAS, areaOf, type Judgement, type Rule } from './rule.ts';
import {
  canShowClientViews,
  OPERATOR_REQUESTS,
  PUBLIC_REQUESTS,
  requestsFor,
  rulesFor,
  type Selection,
  selectRules,
} from './rules.ts';

export interface CheckParts extends Omit<GatherParts, 'getsOnly'> {
  rules: readonly Rule[];
  /** Describes what each kind of client sees. */
  viewsOf: (evidence: Evidence) => ClientView[];
  /** Name and version of Loopscout, for the report. */
  tool: string;
  /** Default: {@link CHECK_LIMITS}. */
  limits?: Limits;
}

export interface CheckOptions extends Selection {
  /** Whether the unsigned `POST` to the shared inbox and the headers of an upload are sent too. Default: false. */
  isForOperator?: boolean | undefined;
  /** Whether only GET requests are sent; rules that need other methods report nothing. Default: false. */
  getsOnly?: boolean | undefined;
  /** Aborts the check. */
  signal?: AbortSignal | undefined;
}

/**
 * Checks one server within 40 requests and a minute. Anything that the server does wrong becomes a finding, never an
 * exception.
 *
 * @throws {SelectionError} when `only` or `skip` names an unknown rule or area.
 * @throws the reason of `signal` when that aborts.
 */
export async function check(domain: Domain, parts: CheckParts, options: CheckOptions = {}): Promise<Report> {
  const { limits = CHECK_LIMITS } = parts;
  const { clock } = parts.http;
  const { signal = new AbortController().signal } = options;
  const rules = rulesFor(domain, selectRules(parts.rules, options));
  signal.throwIfAborted();
  const startedAt = clock();
  using budget = createBudget(limits, signal);
  const requests = new Set(rules.length === parts.rules.length ? REQUEST_NAMES : requestsFor(rules));
  if (options.isForOperator !== true) for (const name of OPERATOR_REQUESTS.keys()) requests.delete(name);
  if (isLocal(domain)) for (const name of PUBLIC_REQUESTS) requests.delete(name);
  const evidence = await gather(domain, { ...parts, getsOnly: options.getsOnly === true }, budget, requests);
  signal.throwIfAborted();
  const findings = judge(rules, evidence);
  return reportOf({
    evidence,
    findings,
    notJudged: notJudged(rules, findings),
    clients: canShowClientViews(requests) && !isLocal(domain) ? parts.viewsOf(evidence) : [],
    tool: parts.tool,
    requests: budget.sent,
    durationMs: clock() - startedAt,
  });
}

/** The findings of the rules: fails first, then by area, then in the order of the rules. A rule that throws becomes a finding. */
export function judge(rules: readonly Rule[], evidence: Evidence): Finding[] {
  return sortFindings(rules.flatMap((rule) => findingOf(rule, evidence) ?? []));
}

/** The rules without a finding: their subject is missing, they do not apply, or another rule reports the cause. */
function notJudged(rules: readonly Rule[], findings: readonly Finding[]): NotJudged[] {
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

/** A cure for Loops is replaced when the server runs other software; a misspelled name, or NodeInfo of Loops, still means Loops. DOMAIN becomes the server. */
function cureOf(rule: Rule, judgement: Judgement, evidence: Evidence): string | null {
  if (judgement.severity === 'pass' || judgement.severity === 'info') return null;
  const { domain, visit, softwareId } = evidence;
  const isOther =
    visit.verdict === 'other' &&
    visit.software?.trim().toLowerCase() !== softwareId.toLowerCase() &&
    nodeInfoNameOf(evidence)?.isExact !== true;
  return rule.cureFor === 'loops' && isOther ? GENERAL_CURE : addressed(judgement.cure ?? rule.cure, domain);
}
