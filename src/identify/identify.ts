import { ALLOW_ALL_HOSTS, type MayContactHost, NO_OPT_OUTS, type OptOutGuard } from '../http/admit-host.ts';
import { isHostWide } from '../http/failure.ts';
import type { VisitClient } from '../http/visit-client.ts';
import { type Domain, hostOf, originOf } from '../model/domain/domain.ts';
import type { CachedRobots, KnownAlias } from '../model/domain-record.ts';
import type { Step } from '../model/step.ts';
import type { Visit } from '../model/visit.ts';
import { isRedirectCycle } from './aliases.ts';
import { type Answer, createAsk, type RobotsGate, type StepNote } from './ask.ts';
import { classifyResponses, type ReceivedPage } from './classify-responses.ts';
import { type Decision, declined, unidentified, unreachable } from './decision.ts';
import { interpretConfig, type ServerConfig } from './documents.ts';
import type { Page } from './page-class.ts';
import { readNodeInfo } from './read-nodeinfo.ts';
import { concludeByConfig, concludeByNodeInfo, needsNodeInfo } from './resolve-verdict.ts';
import { CONFIG_PATH, type RobotsMode, readRobots } from './robots-gate.ts';
import type { KeepDocument, VisitBuilder } from './visit-builder.ts';

export interface IdentifyOptions {
  /** What a server of the service calls itself; compared with `===`. */
  softwareId: string;
  robots: RobotsMode;
  allowSuffixes: readonly string[];
  now: () => number;
  /** Waits before the one retry of a 5xx. */
  pause: () => Promise<void>;
  /** Hosts that are not asked. Default: none. */
  isOptedOut?: OptOutGuard;
  /** Default: every host may. */
  mayContactHost?: MayContactHost;
  /** The robots.txt that was read at an earlier visit. */
  cachedRobots?: CachedRobots | null;
  /** The host that a domain was last found to redirect to. Default: none is known to. */
  aliasOf?: (domain: Domain) => KnownAlias | null;
}

/** The identification flow (specification 4.4): config first, NodeInfo when config settles nothing, NodeInfo also for what only it tells. */
export async function identify(builder: VisitBuilder, client: VisitClient, options: IdentifyOptions): Promise<Visit> {
  const pages: ReceivedPage[] = [];
  const decision = await decide(builder, client, options, pages);
  return builder.end(endCircle(await classifyResponses(decision, pages), builder, options));
}

async function decide(
  builder: VisitBuilder,
  client: VisitClient,
  options: IdentifyOptions,
  pages: ReceivedPage[],
): Promise<Decision> {
  const { domain, at, steps } = builder;
  const { softwareId, now, pause, allowSuffixes, isOptedOut = NO_OPT_OUTS, mayContactHost = ALLOW_ALL_HOSTS } = options;
  const { host, noindex } = builder;
  let restMs = 0;
  const onAnswer = (page: Page, step: Step, isOwn: boolean) => {
    pages.push({ page, step });
    if (isOwn) noindex.answer(step.probe, page);
  };
  const asking = {
    client,
    steps,
    now,
    allowSuffixes,
    isOptedOut,
    mayContactHost,
    pause,
    onAnswer,
    domain,
    restMs: () => restMs,
  };
  const ask = createAsk(asking);
  const note = (probe: 'robots' | 'config' | 'discovery' | 'nodeinfo', url: string, why: StepNote) => {
    steps.push({ probe, url: url.slice(0, 500), status: null, ms: 0, bytes: 0, failure: null, ...why });
  };

  const robots = await readRobots({
    ask,
    origin: originOf(domain),
    mode: options.robots,
    kept: options.cachedRobots,
    now,
  });
  if ('verdict' in robots) return robots;
  const { gate, read } = robots;
  // Who closes the door to us by name does not want to be told of by us.
  noindex.robots(robots);
  const gateElsewhere = async (origin: string): Promise<RobotsGate | Decision> => {
    const theirs = await readRobots({ ask, origin, mode: options.robots, now });
    if (!('verdict' in theirs)) return theirs.gate;
    return theirs.verdict === 'declined' ? theirs : unidentified('href-dead', theirs.retryAfterMs);
  };
  builder.robots = read;
  restMs = robots.restMs;
  if (read === null && options.robots !== 'off')
    note('robots', `${originOf(domain)}/robots.txt`, {
      code: 'robots-cached',
      note: 'not asked: read less than a day ago',
    });

  const configUrl = new URL(CONFIG_PATH, originOf(domain));
  const forbidden = gate('config', configUrl.pathname);
  if (forbidden !== null) note('config', configUrl.href, forbidden);
  const answer = forbidden === null ? await ask('config', configUrl, gate) : ({ kind: 'forbidden' } as const);
  const ending = endVisitEarly(answer);
  if (ending !== null) return ending;

  let config: ServerConfig | null = null;
  if (answer.kind === 'document') {
    builder.keep('config', answer.body);
    config = interpretConfig(answer.body);
  }
  const circumstances = { domain, at, softwareId, allowSuffixes, answer };
  const further = { domain, ask, gate, gateElsewhere, isOptedOut, mayContactHost, note };
  const readFurther = async () => {
    let document: Uint8Array | null = null;
    const keep: KeepDocument = (kind, body) => {
      builder.keep(kind, body);
      if (kind === 'nodeinfo') document = body;
    };
    const reading = await readNodeInfo({ ...further, keep });
    const isNodeInfo = !('verdict' in reading);
    if (document !== null) noindex.nodeInfo(document, isNodeInfo);
    if (isNodeInfo) noindex.all();
    return reading;
  };
  const isAll = config !== null && !needsNodeInfo(config, softwareId);
  if (isAll) noindex.all();
  const { decision, canonicalHost } =
    config === null
      ? concludeByNodeInfo(await readFurther(), circumstances)
      : concludeByConfig(config, isAll ? null : await readFurther(), circumstances);
  if (decision.verdict === 'loops') {
    host.canonicalHost = canonicalHost;
    host.tlsExpires = client.certificateOf(hostOf(domain))?.validTo ?? null;
  }
  return decision;
}

/** What was found longer ago may have been turned round since: `www` to the bare name, then the bare name to `www`. */
const CIRCLE_HOLDS_MS = 24 * 3_600_000;

/** A host that redirects to one which redirects back has not moved: nothing is at the end of such a redirect. */
function endCircle(decision: Decision, { domain, steps }: VisitBuilder, { aliasOf, now }: IdentifyOptions): Decision {
  if (decision.aliasOf === null || aliasOf === undefined) return decision;
  if (!isRedirectCycle(domain, decision.aliasOf, aliasOf, now() - CIRCLE_HOLDS_MS)) return decision;
  const last = steps.at(-1);
  if (last !== undefined) last.note = `${last.note ?? ''}, which redirects back here`.replace(/^, /, '');
  return unidentified('redirect-loop');
}

/** What NodeInfo would meet as well, and a request to leave the host alone, end the visit at the config probe. */
function endVisitEarly(answer: Answer): Decision | null {
  if (answer.kind === 'status' && answer.status === 429) return declined('rate-limited', answer.retryAfterMs);
  if (answer.kind !== 'failure' || !isHostWide(answer.failure)) return null;
  return answer.failure === 'forbidden-address' ? declined(answer.failure) : unreachable(answer.failure);
}
