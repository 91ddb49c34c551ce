import { type Domain, hostOf, originOf } from '../domain/domain.ts';
import { ROBOTS_TOKEN } from '../http/robots.ts';
import type { VisitClient } from '../http/visit-client.ts';
import type { KeptRobots } from '../record/kept-robots.ts';
import type { KnownAlias } from '../record/known-alias.ts';
import type { Reason } from '../record/reason.ts';
import type { Step } from '../record/step.ts';
import type { Visit } from '../record/visit.ts';
import { type Answer, createAsk, type RobotsGate } from './ask.ts';
import { alias, type Decision, declined, loops, other, unidentified, unreachable } from './decision.ts';
import { instanceFacts } from './instance-facts.ts';
import { parseJsonObject } from './json.ts';
import { leadsBack } from './leads-back.ts';
import { asksNoindex } from './noindex.ts';
import type { Page } from './page-class.ts';
import { parseConfig, type ServerConfig } from './parse-config.ts';
import { pointsTo } from './points-to.ts';
import { type NodeInfoReading, readNodeInfo } from './read-nodeinfo.ts';
import { type RobotsMode, readRobots } from './robots-gate.ts';
import { isShared } from './shared-failure.ts';
import { type Answered, tellPages } from './tell-pages.ts';
import type { Visitation } from './visitation.ts';

export interface IdentifyOptions {
  /** What a server of the service calls itself; compared with `===`. */
  softwareId: string;
  robots: RobotsMode;
  allowSuffixes: readonly string[];
  now: () => number;
  /** Waits before the one retry of a 5xx. */
  pause: () => Promise<void>;
  /** The robots.txt that was read at an earlier visit. */
  keptRobots?: KeptRobots | null;
  /** The host that a domain was last found to redirect to. Default: none is known to. */
  aliasOf?: (domain: Domain) => KnownAlias | null;
}

/** The identification flow (specification 4.4): config first, NodeInfo when config settles nothing, NodeInfo also for what only it tells. */
export async function identify(visitation: Visitation, client: VisitClient, options: IdentifyOptions): Promise<Visit> {
  const pages: Answered[] = [];
  const decision = await decide(visitation, client, options, pages);
  return visitation.end(endCircle(await tellPages(decision, pages), visitation, options));
}

async function decide(
  visitation: Visitation,
  client: VisitClient,
  options: IdentifyOptions,
  pages: Answered[],
): Promise<Decision> {
  const { domain, at, steps, keep } = visitation;
  const { softwareId, now, pause, allowSuffixes } = options;
  const { host } = visitation;
  let restMs = 0;
  const onAnswer = (page: Page, step: Step, isOwn: boolean) => {
    pages.push({ page, step });
    // A host that is broken says nothing of what it wants; that it does not ask is known only where a document came.
    if (!isOwn || page.status >= 500) return;
    if (asksNoindex(page.headers['x-robots-tag'], ROBOTS_TOKEN)) host.noindex = true;
    else if (page.status >= 200 && page.status < 300) host.noindex ??= false;
  };
  const ask = createAsk({ client, steps, now, allowSuffixes, pause, onAnswer, domain, restMs: () => restMs });
  const note = (probe: 'robots' | 'config' | 'discovery' | 'nodeinfo', url: string, why: string) => {
    steps.push({ probe, url: url.slice(0, 500), status: null, ms: 0, bytes: 0, failure: null, note: why });
  };

  const robots = await readRobots({
    ask,
    origin: originOf(domain),
    mode: options.robots,
    kept: options.keptRobots,
    now,
  });
  if ('verdict' in robots) return robots;
  const { gate, read } = robots;
  const gateElsewhere = async (origin: string): Promise<RobotsGate | Decision> => {
    const theirs = await readRobots({ ask, origin, mode: options.robots, now });
    if (!('verdict' in theirs)) return theirs.gate;
    return theirs.verdict === 'declined' ? theirs : unidentified('href-dead', theirs.retryAfterMs);
  };
  visitation.robots = read;
  restMs = robots.restMs;
  if (read === null && options.robots !== 'off')
    note('robots', `${originOf(domain)}/robots.txt`, 'not asked: read less than a day ago');

  const configUrl = new URL('/api/v1/config', originOf(domain));
  const forbidden = gate('config', configUrl.pathname);
  if (forbidden !== null) note('config', configUrl.href, forbidden);
  const answer = forbidden === null ? await ask('config', configUrl, gate) : ({ kind: 'forbidden' } as const);
  const ending = endsVisit(answer);
  const learnInstance = (nodeInfoOn: string | null, appUrl: string | null) => {
    host.pointsTo = pointsTo({ domain, config: answer, nodeInfoOn, appUrl, allowSuffixes });
    host.tlsExpires = client.certificateOf(hostOf(domain))?.validTo ?? null;
  };
  if (ending !== null) return ending;

  let config: ServerConfig | null = null;
  if (answer.kind === 'document') {
    keep('config', answer.body);
    const document = parseJsonObject(answer.body);
    config = document === null ? null : parseConfig(document);
  }
  if (config !== null && config.softwareId !== softwareId) return other('config', config.software, config.version);

  if (config !== null) {
    const reading =
      config.federation === false ? null : await readNodeInfo({ domain, ask, gate, gateElsewhere, keep, note });
    const { nodeInfo, flags, on } = reading !== null && 'nodeInfo' in reading ? reading : NO_NODEINFO;
    const retryAfterMs = reading !== null && 'verdict' in reading ? reading.retryAfterMs : null;
    learnInstance(on, config.appUrl);
    return loops('config', instanceFacts({ domain, config, nodeInfo, nodeInfoFlags: flags, at }), retryAfterMs);
  }

  const reading = await readNodeInfo({ domain, ask, gate, gateElsewhere, keep, note });
  if (!('nodeInfo' in reading)) return weigh(answer, reading);
  const { nodeInfo, flags }: NodeInfoReading = reading;
  if (nodeInfo.softwareId !== softwareId) return other('nodeinfo', nodeInfo.software, nodeInfo.version);
  learnInstance(reading.on, null);
  return loops('nodeinfo', instanceFacts({ domain, config: null, nodeInfo, nodeInfoFlags: flags, at }));
}

const NO_NODEINFO = { nodeInfo: null, flags: [], on: null } as const;

/** What was found longer ago may have been turned round since: `www` to the bare name, then the bare name to `www`. */
const CIRCLE_HOLDS_MS = 24 * 3_600_000;

/** A host that redirects to one which redirects back has not moved: nothing is at the end of such a redirect. */
function endCircle(decision: Decision, { domain, steps }: Visitation, { aliasOf, now }: IdentifyOptions): Decision {
  if (decision.aliasOf === null || aliasOf === undefined) return decision;
  if (!leadsBack(domain, decision.aliasOf, aliasOf, now() - CIRCLE_HOLDS_MS)) return decision;
  const last = steps.at(-1);
  if (last !== undefined) last.note = `${last.note ?? ''}, which redirects back here`.replace(/^, /, '');
  return unidentified('redirect-loop');
}

/** What NodeInfo would meet as well, and a request to leave the host alone, end the visit at the config probe. */
function endsVisit(answer: Answer): Decision | null {
  if (answer.kind === 'status' && answer.status === 429) return declined('rate-limited', answer.retryAfterMs);
  if (answer.kind !== 'failure' || !isShared(answer.failure)) return null;
  return answer.failure === 'forbidden-address' ? declined(answer.failure) : unreachable(answer.failure);
}

/**
 * The decision when neither probe settled what the host is.
 *
 * @param nodeInfo what NodeInfo alone makes of the host.
 */
function weigh(config: Answer, nodeInfo: Decision): Decision {
  if (nodeInfo.verdict === 'alias' || nodeInfo.reason === 'rate-limited') return nodeInfo;
  if (config.kind === 'redirected' && !NOT_MOVED.has(nodeInfo.reason)) return alias(config.to);
  if (config.kind === 'forbidden' && nodeInfo.verdict === 'unidentified') return declined('robots-forbidden');
  if (config.kind === 'status' && config.status === 410 && nodeInfo.verdict !== 'declined') return declined('gone');
  if (nodeInfo.verdict !== 'unreachable') return nodeInfo;

  // NodeInfo gave no usable answer. If config did, the host is up; if both failed in the same way, that is the reason.
  if (config.kind === 'forbidden') return nodeInfo;
  if (config.kind === 'failure' && config.failure !== 'body-too-large') {
    return config.failure === 'forbidden-address' ? nodeInfo : unreachable(config.failure, nodeInfo.retryAfterMs);
  }
  if (config.kind === 'status' && config.status >= 500) return nodeInfo;
  return unidentified('nodeinfo-unavailable', nodeInfo.retryAfterMs);
}

/**
 * What NodeInfo came to where the host itself answered discovery with a JSON object, however little that was worth, and
 * where it was not asked: neither means that the host has moved.
 */
const NOT_MOVED: ReadonlySet<Reason> = new Set<Reason>([
  'no-nodeinfo-2.0-link',
  'href-invalid',
  'href-refused',
  'href-dead',
  'nodeinfo-not-json',
  'nodeinfo-no-software',
  'forbidden-address',
  'robots-forbidden',
]);
