import { isUnread } from '../http/failure.ts';
import { originOf } from '../model/domain/domain.ts';
import type { Answer, RobotsRules, VisitRequests } from './ask.ts';
import { alias, type Decision, declined, unidentified, unreachable } from './decision.ts';
import { interpretDiscovery, interpretNodeInfo, type NodeInfoResult } from './documents.ts';
import { readRobots } from './robots-gate.ts';

/**
 * Requests NodeInfo as specified (4.4, option B): discovery, then the advertised 2.0 URL, unchanged. A returned decision rests on NodeInfo
 * alone; the caller combines it with config.
 */
export async function readNodeInfo(requests: VisitRequests, rules: RobotsRules): Promise<NodeInfoResult | Decision> {
  const { builder, context } = requests;
  const { domain, noindex } = builder;
  const discoveryUrl = new URL('/.well-known/nodeinfo', originOf(domain));
  const forbidden = rules.refusalOf('discovery', discoveryUrl.pathname);
  if (forbidden !== null) {
    requests.recordUnsent('discovery', discoveryUrl.href, forbidden);
    return declined('robots-forbidden');
  }
  const discovery = await requests.ask('discovery', discoveryUrl, rules);
  if (discovery.kind !== 'document') return decideWithoutDiscovery(discovery);
  builder.storeDocument('discovery', discovery.body);
  const advertised = interpretDiscovery(discovery.body, domain);
  if ('verdict' in advertised) return advertised;

  const { url, target } = advertised;
  const isElsewhere = url.host !== domain;
  if (isElsewhere && (context.optOuts.covers(url) || !(await requests.mayLeadTo(url))))
    return unidentified('href-refused');
  const documentRules = isElsewhere ? await rulesElsewhere(requests, url.origin) : rules;
  if ('verdict' in documentRules) {
    requests.recordUnsent('nodeinfo', url.origin + target, {
      code: 'robots-unavailable',
      note: 'not requested: the robots.txt of its host is unavailable',
    });
    return documentRules;
  }
  const hrefForbidden = documentRules.refusalOf('nodeinfo', target);
  if (hrefForbidden !== null) {
    requests.recordUnsent('nodeinfo', url.origin + target, hrefForbidden);
    return declined('robots-forbidden');
  }
  const document = await requests.ask('nodeinfo', url, documentRules, target);
  if (document.kind !== 'document') return decideWithoutDocument(document, isElsewhere);
  builder.storeDocument('nodeinfo', document.body);
  const result = interpretNodeInfo(document.body, { domain, url });
  const isNodeInfo = !('verdict' in result);
  noindex.readNodeInfo(document.body, isNodeInfo);
  if (isNodeInfo) noindex.complete();
  return result;
}

/** The robots.txt rules of a third-party host that serves the document. */
async function rulesElsewhere(requests: VisitRequests, origin: string): Promise<RobotsRules | Decision> {
  const robots = await readRobots(requests, origin, null);
  if (!('verdict' in robots)) return robots.rules;
  // That another host limits our requests is not a wish of the visited one.
  const isOwnWish = robots.verdict === 'declined' && robots.reason !== 'rate-limited';
  return isOwnWish ? robots : unidentified('href-dead', robots.retryAfterMs);
}

function decideWithoutDiscovery(answer: Exclude<Answer, { kind: 'document' }>): Decision {
  switch (answer.kind) {
    case 'redirected':
      return alias(answer.to);
    case 'redirect-failed':
      return unidentified(answer.reason);
    case 'forbidden':
      return declined('robots-forbidden');
    case 'failure':
      if (answer.failure === 'forbidden-address') return declined(answer.failure);
      return isUnread(answer.failure) ? unidentified(answer.failure) : unreachable(answer.failure);
    case 'status':
      if (answer.status === 410) return declined('gone');
      if (answer.status === 429) return declined('rate-limited', answer.retryAfterMs);
      if (answer.status === 403) return unidentified('access-refused');
      return answer.status >= 500 ? unreachable('http-5xx', answer.retryAfterMs) : unidentified('no-nodeinfo');
  }
}

/** Discovery answered, so the host is never unreachable: it is unidentified, or declined (robots.txt, a forbidden address, 429). */
function decideWithoutDocument(answer: Exclude<Answer, { kind: 'document' }>, isElsewhere: boolean): Decision {
  switch (answer.kind) {
    case 'redirected':
      return unidentified('href-redirected');
    case 'redirect-failed':
      return unidentified(answer.reason);
    case 'forbidden':
      return declined('robots-forbidden');
    case 'failure':
      if (answer.failure === 'forbidden-address') return declined(answer.failure);
      return unidentified(isUnread(answer.failure) ? answer.failure : 'href-dead');
    case 'status':
      return answer.status === 429 && !isElsewhere
        ? declined('rate-limited', answer.retryAfterMs)
        : unidentified('href-dead');
  }
}
