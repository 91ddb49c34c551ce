import { type Domain, isLocal } from '../model/domain/domain.ts';
import { type Evidence, REQUEST_NAMES } from './evidence.ts';
import { createBudget, LIMITS, type Limits } from './gather/budget.ts';
import { type GatherParts, gather } from './gather/gather.ts';
import { judge, notJudged } from './judge.ts';
import { type ClientView, type Report, reportOf } from './report.ts';
import type { Rule } from './rule.ts';
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
  /** Default: {@link LIMITS}. */
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
  const { limits = LIMITS } = parts;
  const { clock } = parts.http;
  const { signal = new AbortController().signal } = options;
  const rules = rulesFor(domain, selectRules(parts.rules, options));
  signal.throwIfAborted();
  const startedAt = clock();
  const budget = createBudget(limits, signal);
  try {
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
  } finally {
    budget[Symbol.dispose]();
  }
}
