import type { HttpFailure } from '../http/failure.ts';
import { type Domain, storedDomain } from '../model/domain/domain.ts';
import { REDACTED_NAME } from '../model/opt-outs/opt-out-names.ts';
import { isRobotsForbidden, type Step } from '../model/step.ts';
import type { DocumentKind } from '../model/visit.ts';
import type { Answer } from './ask.ts';
import type { Decision } from './decision.ts';
import {
  flagsOfNodeInfoUrl,
  type Href,
  interpretConfig,
  interpretDiscovery,
  interpretNodeInfo,
  type NodeInfoResult,
  PARSERS,
  type Parsers,
  type ServerConfig,
} from './documents.ts';
import type { PageClass } from './page-class.ts';
import {
  type Conclusion,
  concludeByConfig,
  concludeByNodeInfo,
  needsNodeInfo,
  type VerdictContext,
} from './resolve-verdict.ts';

export interface RereadOptions extends Omit<VerdictContext, 'answer'> {
  /** The bodies of 2xx answers as received. */
  documents: Partial<Record<DocumentKind, Uint8Array>>;
  /** The visit as recorded. */
  recorded: RecordedDecision;
  /** Default: the parsers of this version. */
  parsers?: Parsers;
}

/**
 * The conclusion of today's parsers from the stored documents of a visit. `retryAfterMs` stays as recorded. Pure.
 *
 * `needs-another-request`: the documents lead to a URL that the visit did not request, so no conclusion is possible. Null: the decision
 * rests on something other than documents (no answer, robots.txt, a redirect, the class of a page) and stays. If the steps are no longer
 * stored, a NodeInfo document is assumed to come from the advertised URL unless the recorded flags contradict it.
 */
export function reread(options: RereadOptions): Conclusion | 'needs-another-request' | null {
  const { documents, recorded, parsers = PARSERS, softwareId } = options;
  const context = { ...options, answer: recordedAnswer(documents.config, recorded) };
  const config = documents.config === undefined ? null : interpretConfig(documents.config, parsers);
  const isSettled = config !== null && !needsNodeInfo(config, softwareId);
  const nodeInfo = isSettled ? null : rereadNodeInfo(options, parsers);
  if (nodeInfo === 'needs-another-request') return nodeInfo;
  if (config !== null) return withRecorded(concludeRereadConfig(config, nodeInfo, context), recorded);

  // Config names no software now, and no NodeInfo document is stored. If config decided the visit, only a request for NodeInfo could tell.
  if (nodeInfo === null) return recorded.via === 'config' ? 'needs-another-request' : null;
  const conclusion = concludeByNodeInfo(nodeInfo, context);
  return usedMoreThanDocuments(conclusion.decision, recorded) ? null : withRecorded(conclusion, recorded);
}

function withRecorded({ decision, canonicalHost }: Conclusion, { retryAfterMs }: RecordedDecision): Conclusion {
  return { decision: { ...decision, retryAfterMs }, canonicalHost };
}

/** The result of the discovery and NodeInfo documents; null when the needed one is missing. */
function rereadNodeInfo(
  { domain, documents, recorded }: RereadOptions,
  parsers: Parsers,
): NodeInfoResult | Decision | 'needs-another-request' | null {
  if (documents.discovery === undefined) return null;
  const advertised = interpretDiscovery(documents.discovery, domain, parsers);
  if ('verdict' in advertised) return advertised;
  const isSame =
    recorded.steps === null
      ? documents.nodeinfo === undefined || flagsAgree(advertised, domain, recorded)
      : wasRequested(advertised, recorded.steps);
  if (!isSame) return 'needs-another-request';
  if (documents.nodeinfo === undefined) return null;
  return interpretNodeInfo(documents.nodeinfo, { domain, url: advertised.url }, parsers);
}

/**
 * Whether the visit requested the advertised URL, of which a step holds 500 characters. At a third-party host, robots.txt is requested
 * first, and may have been the only request.
 */
function wasRequested({ url, target }: Href, steps: readonly Step[]): boolean {
  const after = steps.slice(steps.findIndex(({ probe }) => probe === 'discovery'));
  const request = after.find(({ probe }) => probe === 'nodeinfo');
  if (request !== undefined) return request.url === (url.origin + target).slice(0, 500);
  return after.some((step) => step.probe === 'robots' && step.url === `${url.origin}/robots.txt`);
}

/** Whether the advertised URL has the recorded flags. A visit without a NodeInfo document recorded no flags to compare. */
function flagsAgree({ url }: Href, domain: Domain, { facts }: RecordedDecision): boolean {
  if (facts === null || facts.flags.includes('nodeinfo-unavailable')) return true;
  const flags = flagsOfNodeInfoUrl(url, domain);
  return (['nodeinfo-other-host', 'nodeinfo-http-href'] as const).every(
    (flag) => flags.includes(flag) === facts.flags.includes(flag),
  );
}

/** The conclusion from config, without the flag `nodeinfo-unavailable` if the visit did not request NodeInfo. */
function concludeRereadConfig(
  config: ServerConfig,
  nodeInfo: NodeInfoResult | Decision | null,
  context: VerdictContext & Pick<RereadOptions, 'recorded'>,
): Conclusion {
  const conclusion = concludeByConfig(config, nodeInfo, context);
  const { facts } = conclusion.decision;
  if (facts === null || nodeInfo !== null || wasNodeInfoRequested(context.recorded)) return conclusion;
  const flags = facts.flags.filter((flag) => flag !== 'nodeinfo-unavailable');
  return { ...conclusion, decision: { ...conclusion.decision, facts: { ...facts, flags } } };
}

function wasNodeInfoRequested({ steps, facts, via }: RecordedDecision): boolean {
  if (steps !== null) return steps.some(({ probe }) => probe === 'discovery');
  return facts === null ? via !== 'config' : facts.flags.includes('nodeinfo-unavailable');
}

/** Reasons that are the class of a page, which depends on more than the body. */
const PAGE_CLASSES: ReadonlySet<string> = new Set([
  'challenge-page',
  'parked-page',
  'default-page',
  'maintenance-page',
  'web-app',
] satisfies PageClass['class'][]);

/** Whether the recorded decision differs because of data other than documents: the class of a page, or a redirect that led back. */
function usedMoreThanDocuments({ verdict, reason }: Decision, recorded: RecordedDecision): boolean {
  if (reason === 'discovery-not-json' && PAGE_CLASSES.has(recorded.reason)) return true;
  if (recorded.reason !== 'redirect-loop') return false;
  return verdict === 'alias' || (recorded.steps === null && reason === 'discovery-not-json');
}

/** A visit as it was recorded. */
interface RecordedDecision extends Decision {
  /** Null when no longer stored. */
  steps: readonly Step[] | null;
}

/** An answer without any influence on the verdict. */
const INCONCLUSIVE: Answer = { kind: 'status', status: 404, retryAfterMs: null };

/**
 * The outcome of the config probe of a recorded visit: from the body, else from the steps, else from the decision. Pure.
 */
function recordedAnswer(body: Uint8Array | undefined, recorded: RecordedDecision): Answer {
  if (body !== undefined) return { kind: 'document', body };
  if (recorded.steps === null) return answerOfDecision(recorded);
  const step = recorded.steps.findLast(({ probe }) => probe === 'config');
  return step === undefined ? INCONCLUSIVE : answerOfStep(step);
}

function answerOfStep({ status, failure, code, redirectsTo = REDACTED_NAME }: Step): Answer {
  // The steps of requests only have HTTP failure codes.
  if (failure !== null) return { kind: 'failure', failure: failure as HttpFailure };
  if (status === null || isRobotsForbidden(code)) return { kind: 'forbidden' };
  if (code === 'redirect-elsewhere') return { kind: 'redirected', to: storedDomain(redirectsTo) };
  return { kind: 'status', status, retryAfterMs: null };
}

function answerOfDecision({ reason, aliasOf }: Decision): Answer {
  if (aliasOf !== null) return { kind: 'redirected', to: aliasOf };
  if (reason === 'gone') return { kind: 'status', status: 410, retryAfterMs: null };
  return reason === 'robots-forbidden' ? { kind: 'forbidden' } : INCONCLUSIVE;
}
