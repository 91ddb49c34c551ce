import { isHostWide } from '../http/failure.ts';
import type { VisitClient } from '../http/visit-client.ts';
import { hostOf, originOf } from '../model/domain/domain.ts';
import { DAY_MS } from '../model/time.ts';
import type { Visit } from '../model/visit.ts';
import { isRedirectCycle } from './aliases.ts';
import { type Answer, ThirdPartyLimitError, VisitRequests } from './ask.ts';
import { classifyResponses } from './classify-responses.ts';
import { type Decision, declined, unidentified, unreachable } from './decision.ts';
import { interpretConfig, type ServerConfig } from './documents.ts';
import { readNodeInfo } from './read-nodeinfo.ts';
import { concludeByConfig, concludeByNodeInfo, needsNodeInfo } from './resolve-verdict.ts';
import { CONFIG_PATH, readRobots } from './robots-gate.ts';
import type { VisitBuilder } from './visit-builder.ts';
import type { VisitContext } from './visit-context.ts';

/**
 * The identification flow (specification 4.4): config first; NodeInfo when config is inconclusive, and also after a Loops config, unless
 * federation is off there, for the counts that only NodeInfo contains.
 */
export async function identify(builder: VisitBuilder, client: VisitClient, context: VisitContext): Promise<Visit> {
  const requests = new VisitRequests(builder, client, context);
  const decision = await decide(requests);
  return rejectCycle(builder.end(await classifyResponses(decision, requests.pages)), context);
}

async function decide(requests: VisitRequests): Promise<Decision> {
  const { builder, client, context } = requests;
  const { domain, at, host, noindex } = builder;
  const origin = originOf(domain);

  const robots = await withinLimits(requests, 'robots', readRobots(requests, origin, context.cachedRobots));
  if ('verdict' in robots) return robots;
  const { rules, fetched } = robots;
  // A robots.txt group that forbids the site to our user agent also asks not to be listed.
  noindex.readRobots(robots);
  builder.robots = fetched;
  requests.delayMs = robots.delayMs;
  if (fetched === null && context.robots !== 'off')
    requests.recordUnsent('robots', `${origin}/robots.txt`, {
      code: 'robots-cached',
      note: 'not requested: read less than a day ago',
    });

  const configUrl = new URL(CONFIG_PATH, origin);
  const forbidden = rules.refusalOf('config', configUrl.pathname);
  if (forbidden !== null) requests.recordUnsent('config', configUrl.href, forbidden);
  const answer = forbidden === null ? await requests.ask('config', configUrl, rules) : ({ kind: 'forbidden' } as const);
  const earlyDecision = decideEarly(answer);
  if (earlyDecision !== null) return earlyDecision;

  let config: ServerConfig | null = null;
  if (answer.kind === 'document') {
    builder.storeDocument('config', answer.body);
    config = interpretConfig(answer.body);
  }
  const isConfigEnough = config !== null && !needsNodeInfo(config, context.softwareId);
  if (isConfigEnough) noindex.complete();
  const fetchNodeInfo = () => withinLimits(requests, 'nodeinfo', readNodeInfo(requests, rules));
  const known = { ...context, domain, at, answer };
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

/** The result of requests that may need a third-party host, or the decision when its limit is reached. */
async function withinLimits<Result>(
  requests: VisitRequests,
  probe: 'robots' | 'nodeinfo',
  result: Promise<Result>,
): Promise<Result | Decision> {
  try {
    return await result;
  } catch (error) {
    if (!(error instanceof ThirdPartyLimitError)) throw error;
    requests.recordUnsent(probe, error.url, {
      code: 'third-party-limit',
      note: 'not requested: the limit of its host is reached',
    });
    return unidentified('third-party-limit');
  }
}

/** Older redirects may have been reversed since, such as `www` to the bare name and later the bare name to `www`. */
const ALIAS_VALID_MS = DAY_MS;

/** A redirect to a host that redirects back leads nowhere, so it is not an alias. */
function rejectCycle(visit: Visit, { aliases, now }: VisitContext): Visit {
  if (visit.aliasOf === null) return visit;
  if (!isRedirectCycle(visit.domain, visit.aliasOf, aliases, now() - ALIAS_VALID_MS)) return visit;
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
