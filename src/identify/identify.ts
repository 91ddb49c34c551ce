import { isHostWide } from '../http/failure.ts';
import type { Page } from '../http/page-class.ts';
import type { VisitClient } from '../http/visit-client.ts';
import { hostOf, originOf } from '../model/domain/domain.ts';
import { siteOf } from '../model/domain/registrable-domain.ts';
import type { Step } from '../model/step.ts';
import type { Visit } from '../model/visit.ts';
import { isRedirectCycle } from './aliases.ts';
import { type Answer, createAsk, type RobotsGate, type StepNote } from './ask.ts';
import { classifyResponses, type ReceivedPage } from './classify-responses.ts';
import { type Decision, declined, unidentified, unreachable } from './decision.ts';
import { interpretConfig, type ServerConfig } from './documents.ts';
import { readNodeInfo } from './read-nodeinfo.ts';
import { concludeByConfig, concludeByNodeInfo, needsNodeInfo } from './resolve-verdict.ts';
import { CONFIG_PATH, readRobots } from './robots-gate.ts';
import type { StoreDocument, VisitBuilder } from './visit-builder.ts';
import type { VisitContext } from './visit-context.ts';

/** A third-party host that a visit needs has reached its limit of contacts. */
class ThirdPartyLimitError extends Error {
  override readonly name = 'ThirdPartyLimitError';
  readonly url: string;

  constructor(url: URL) {
    super(`${url.host} was contacted too often within the last hour`);
    this.url = url.href;
  }
}

/** Third-party sites that one visit may contact: for redirects of robots.txt, for the NodeInfo document, and for the robots.txt there. */
const MAX_THIRD_PARTIES = 3;

/**
 * The identification flow (specification 4.4): config first; NodeInfo when config is inconclusive, and also after a Loops config, unless
 * federation is off there, for the counts that only NodeInfo contains.
 */
export async function identify(builder: VisitBuilder, client: VisitClient, context: VisitContext): Promise<Visit> {
  const pages: ReceivedPage[] = [];
  const decision = await decide(builder, client, context, pages);
  return rejectCycle(builder.end(await classifyResponses(decision, pages)), context);
}

async function decide(
  builder: VisitBuilder,
  client: VisitClient,
  context: VisitContext,
  pages: ReceivedPage[],
): Promise<Decision> {
  const { domain, at, steps } = builder;
  const { host, noindex } = builder;
  let delayMs = 0;
  const contacted = new Set<string>();
  const mayContact = async (url: URL): Promise<boolean> => {
    const site = siteOf(url.host);
    if (site === siteOf(domain) || contacted.has(site)) return true;
    if (contacted.size === MAX_THIRD_PARTIES) return false;
    const addresses = await client.addressesOf(url);
    // The host has no usable address: the request will contact nothing, and will report why.
    if (typeof addresses === 'string') return true;
    if (!context.mayContactHost(url, addresses)) throw new ThirdPartyLimitError(url);
    contacted.add(site);
    return true;
  };
  const onAnswer = (page: Page, step: Step, isOwn: boolean) => {
    pages.push({ page, step });
    if (isOwn) noindex.readAnswer(step.probe, page);
  };
  const ask = createAsk({ client, context, steps, mayContact, onAnswer, domain, delayMs: () => delayMs });
  const recordUnsent = (probe: 'robots' | 'config' | 'discovery' | 'nodeinfo', url: string, why: StepNote) => {
    steps.push({ probe, url: url.slice(0, 500), status: null, ms: 0, bytes: 0, failure: null, ...why });
  };

  /** The result of `request`, which may need a third-party host. */
  const withinLimits = <Result>(probe: 'robots' | 'nodeinfo', request: () => Promise<Result>) =>
    request().catch((error: unknown) => {
      if (!(error instanceof ThirdPartyLimitError)) throw error;
      recordUnsent(probe, error.url, {
        code: 'third-party-limit',
        note: 'not requested: the limit of its host is reached',
      });
      return unidentified('third-party-limit');
    });

  const robots = await withinLimits('robots', () =>
    readRobots({ ask, origin: originOf(domain), context, cached: context.cachedRobots }),
  );
  if ('verdict' in robots) {
    // A redirect led to another host, whose 429 is not a wish of the visited one.
    const isElsewhere = URL.parse(steps.at(-1)?.url ?? '')?.host !== new URL(originOf(domain)).host;
    return robots.reason === 'rate-limited' && isElsewhere
      ? unreachable('robots-unreachable', robots.retryAfterMs)
      : robots;
  }
  const { gate, fetched } = robots;
  // A robots.txt group that forbids the site to our user agent also asks not to be listed.
  noindex.readRobots(robots);
  const gateElsewhere = async (origin: string): Promise<RobotsGate | Decision> => {
    const other = await readRobots({ ask, origin, context, cached: null });
    if (!('verdict' in other)) return other.gate;
    // That another host limits our requests is not a wish of the visited one.
    const isOwnWish = other.verdict === 'declined' && other.reason !== 'rate-limited';
    return isOwnWish ? other : unidentified('href-dead', other.retryAfterMs);
  };
  builder.robots = fetched;
  delayMs = robots.delayMs;
  if (fetched === null && context.robots !== 'off')
    recordUnsent('robots', `${originOf(domain)}/robots.txt`, {
      code: 'robots-cached',
      note: 'not requested: read less than a day ago',
    });

  const configUrl = new URL(CONFIG_PATH, originOf(domain));
  const forbidden = gate('config', configUrl.pathname);
  if (forbidden !== null) recordUnsent('config', configUrl.href, forbidden);
  const answer = forbidden === null ? await ask('config', configUrl, gate) : ({ kind: 'forbidden' } as const);
  const earlyDecision = decideEarly(answer);
  if (earlyDecision !== null) return earlyDecision;

  let config: ServerConfig | null = null;
  if (answer.kind === 'document') {
    builder.storeDocument('config', answer.body);
    config = interpretConfig(answer.body);
  }
  const known = { ...context, domain, at, answer };
  const nodeInfoContext = { ...known, ask, gate, gateElsewhere, mayContact, recordUnsent };
  const fetchNodeInfo = async () => {
    let document: Uint8Array | null = null;
    const storeDocument: StoreDocument = (kind, body) => {
      builder.storeDocument(kind, body);
      if (kind === 'nodeinfo') document = body;
    };
    const result = await withinLimits('nodeinfo', () => readNodeInfo({ ...nodeInfoContext, storeDocument }));
    const isNodeInfo = !('verdict' in result);
    if (document !== null) noindex.readNodeInfo(document, isNodeInfo);
    if (isNodeInfo) noindex.complete();
    return result;
  };
  const isConfigEnough = config !== null && !needsNodeInfo(config, context.softwareId);
  if (isConfigEnough) noindex.complete();
  const { decision, canonicalHost } =
    config === null
      ? concludeByNodeInfo(await fetchNodeInfo(), known)
      : concludeByConfig(config, isConfigEnough ? null : await fetchNodeInfo(), known);
  if (decision.verdict === 'loops') {
    host.canonicalHost = canonicalHost;
    host.tlsExpires = client.certificateOf(hostOf(domain))?.validTo ?? null;
  }
  return decision;
}

/** Older redirects may have been reversed since, such as `www` to the bare name and later the bare name to `www`. */
const ALIAS_VALID_MS = 24 * 3_600_000;

/** A redirect to a host that redirects back leads nowhere, so it is not an alias. */
function rejectCycle(visit: Visit, { aliasOf, now }: VisitContext): Visit {
  if (visit.aliasOf === null) return visit;
  if (!isRedirectCycle(visit.domain, visit.aliasOf, aliasOf, now() - ALIAS_VALID_MS)) return visit;
  const last = visit.steps.at(-1);
  if (last !== undefined) last.note = `${last.note ?? ''}, which redirects back here`.replace(/^, /, '');
  return { ...visit, ...unidentified('redirect-loop') };
}

/** The decision after a config answer that makes further requests useless or unwanted, else null. */
function decideEarly(answer: Answer): Decision | null {
  if (answer.kind === 'status' && answer.status === 429) return declined('rate-limited', answer.retryAfterMs);
  if (answer.kind !== 'failure' || !isHostWide(answer.failure)) return null;
  return answer.failure === 'forbidden-address' ? declined(answer.failure) : unreachable(answer.failure);
}
