import type { HttpFailure } from '../http/failure.ts';
import { type Domain, storedDomain } from '../model/domain/domain.ts';
import { REDACTED_NAME } from '../model/opt-outs/opt-out-names.ts';
import { isRobotsForbidden, type Step } from '../model/step.ts';
import type { DocumentKind } from '../model/visit.ts';
import type { Answer } from './ask.ts';
import type { Decision } from './decision.ts';
import {
  flagsOfAddress,
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
  type VisitContext,
} from './resolve-verdict.ts';

export interface RereadOptions extends Omit<VisitContext, 'answer'> {
  /** The bodies of 2xx answers, as they were received. */
  documents: Partial<Record<DocumentKind, Uint8Array>>;
  /** What the visit decided. */
  recorded: RecordedDecision;
  /** Default: today's. */
  parsers?: Parsers;
}

/**
 * What today's parsers make of the documents of a visit. `retryAfterMs` is kept as it was recorded. Pure.
 *
 * `would-ask-elsewhere`: they lead to an address that was not asked then, so that nothing can be said. Null: the decision rests on
 * something else than documents (no answer, robots.txt, a redirect, what a page looks like), and stands. Where the steps are no
 * longer kept, a NodeInfo document is taken to be from the address that is advertised, unless the flags recorded say otherwise.
 */
export function reread(options: RereadOptions): Conclusion | 'would-ask-elsewhere' | null {
  const { documents, recorded, parsers = PARSERS, softwareId } = options;
  const circumstances = { ...options, answer: recordedAnswer(documents.config, recorded) };
  const config = documents.config === undefined ? null : interpretConfig(documents.config, parsers);
  const isSettled = config !== null && !needsNodeInfo(config, softwareId);
  const nodeInfo = isSettled ? null : rereadNodeInfo(options, parsers);
  if (nodeInfo === 'would-ask-elsewhere') return nodeInfo;
  if (config !== null) return withRecorded(concludeRereadConfig(config, nodeInfo, circumstances), recorded);

  // What config settled then rests on NodeInfo now, and that was not asked for, or gave no document.
  if (nodeInfo === null) return recorded.via === 'config' ? 'would-ask-elsewhere' : null;
  const conclusion = concludeByNodeInfo(nodeInfo, circumstances);
  return restsOnMore(conclusion.decision, recorded) ? null : withRecorded(conclusion, recorded);
}

function withRecorded({ decision, canonicalHost }: Conclusion, { retryAfterMs }: RecordedDecision): Conclusion {
  return { decision: { ...decision, retryAfterMs }, canonicalHost };
}

/** What the discovery and NodeInfo documents come to; null when there are none, or not the one that would tell. */
function rereadNodeInfo(
  { domain, documents, recorded }: RereadOptions,
  parsers: Parsers,
): NodeInfoResult | Decision | 'would-ask-elsewhere' | null {
  if (documents.discovery === undefined) return null;
  const advertised = interpretDiscovery(documents.discovery, domain, parsers);
  if ('verdict' in advertised) return advertised;
  const isSame =
    recorded.steps === null
      ? documents.nodeinfo === undefined || flagsAgree(advertised, domain, recorded)
      : wasAsked(advertised, recorded.steps);
  if (!isSame) return 'would-ask-elsewhere';
  if (documents.nodeinfo === undefined) return null;
  return interpretNodeInfo(documents.nodeinfo, { domain, url: advertised.url }, parsers);
}

/** Of another host, robots.txt is asked for first, and may be all. */
function wasAsked({ url, target }: Href, steps: readonly Step[]): boolean {
  const after = steps.slice(steps.findIndex(({ probe }) => probe === 'discovery'));
  const asked = after.find(({ probe }) => probe === 'nodeinfo');
  if (asked !== undefined) return asked.url === (url.origin + target).slice(0, 500);
  return after.some(({ probe, url: robots }) => probe === 'robots' && robots === `${url.origin}/robots.txt`);
}

/** Whether an address has the flags that were recorded of the one asked; where no NodeInfo was read, none were. */
function flagsAgree({ url }: Href, domain: Domain, { facts }: RecordedDecision): boolean {
  if (facts === null || facts.flags.includes('nodeinfo-unavailable')) return true;
  const flags = flagsOfAddress(url, domain);
  return (['nodeinfo-other-host', 'nodeinfo-http-href'] as const).every(
    (flag) => flags.includes(flag) === facts.flags.includes(flag),
  );
}

/** NodeInfo that was not asked for then is not said to be unavailable. */
function concludeRereadConfig(
  config: ServerConfig,
  nodeInfo: NodeInfoResult | Decision | null,
  circumstances: VisitContext & Pick<RereadOptions, 'recorded'>,
): Conclusion {
  const conclusion = concludeByConfig(config, nodeInfo, circumstances);
  const { facts } = conclusion.decision;
  if (facts === null || nodeInfo !== null || wasNodeInfoAsked(circumstances.recorded)) return conclusion;
  const flags = facts.flags.filter((flag) => flag !== 'nodeinfo-unavailable');
  return { ...conclusion, decision: { ...conclusion.decision, facts: { ...facts, flags } } };
}

function wasNodeInfoAsked({ steps, facts, via }: RecordedDecision): boolean {
  if (steps !== null) return steps.some(({ probe }) => probe === 'discovery');
  return facts === null ? via !== 'config' : facts.flags.includes('nodeinfo-unavailable');
}

/** What {@link PageClass} tells by more than the body. */
const PAGES: ReadonlySet<string> = new Set([
  'challenge-page',
  'parked-page',
  'default-page',
  'maintenance-page',
  'web-app',
] satisfies PageClass['class'][]);

/** Whether a visit went by more than the documents where these come to no more than this: by a page, or by where others redirect. */
function restsOnMore({ verdict, reason }: Decision, recorded: RecordedDecision): boolean {
  if (reason === 'discovery-not-json' && PAGES.has(recorded.reason)) return true;
  if (recorded.reason !== 'redirect-loop') return false;
  return verdict === 'alias' || (recorded.steps === null && reason === 'discovery-not-json');
}

/** A visit as it was recorded. */
interface RecordedDecision extends Decision {
  /** Null when they are no longer kept. */
  steps: readonly Step[] | null;
}

/** An answer that weighs nothing. */
const NOTHING: Answer = { kind: 'status', status: 404, retryAfterMs: null };

/**
 * What the config probe of a recorded visit came to: from the body, from the steps, or, where these are gone, from what the
 * visit decided, as far as that tells. Pure.
 */
function recordedAnswer(body: Uint8Array | undefined, recorded: RecordedDecision): Answer {
  if (body !== undefined) return { kind: 'document', body };
  if (recorded.steps === null) return answerBehind(recorded);
  const step = recorded.steps.findLast(({ probe }) => probe === 'config');
  return step === undefined ? NOTHING : answerOfStep(step);
}

function answerOfStep({ status, failure, code, redirectsTo = REDACTED_NAME }: Step): Answer {
  // A step of a request fails with words of requests.
  if (failure !== null) return { kind: 'failure', failure: failure as HttpFailure };
  if (status === null || isRobotsForbidden(code)) return { kind: 'forbidden' };
  if (code === 'redirect-elsewhere') return { kind: 'redirected', to: storedDomain(redirectsTo) };
  return { kind: 'status', status, retryAfterMs: null };
}

function answerBehind({ reason, aliasOf }: Decision): Answer {
  if (aliasOf !== null) return { kind: 'redirected', to: aliasOf };
  if (reason === 'gone') return { kind: 'status', status: 410, retryAfterMs: null };
  return reason === 'robots-forbidden' ? { kind: 'forbidden' } : NOTHING;
}
