import { isUnread } from '../http/failure.ts';
import { type Domain, originOf } from '../model/domain/domain.ts';
import type { Answer, Ask, RobotsGate, StepNote } from './ask.ts';
import { alias, type Decision, declined, unidentified, unreachable } from './decision.ts';
import { interpretDiscovery, interpretNodeInfo, type NodeInfoResult } from './documents.ts';
import type { StoreDocument } from './visit-builder.ts';
import type { VisitContext } from './visit-context.ts';

export interface NodeInfoContext {
  domain: Domain;
  ask: Ask;
  gate: RobotsGate;
  /** The robots.txt rules of a third-party host that serves the document. */
  gateElsewhere: (origin: string) => Promise<RobotsGate | Decision>;
  isOptedOut: VisitContext['isOptedOut'];
  /** Counts the contact with a third-party host. False when the visit must do without the host; throws when the limit of the host is reached. */
  mayContact: (url: URL) => Promise<boolean>;
  storeDocument: StoreDocument;
  recordUnsent: (probe: 'discovery' | 'nodeinfo', url: string, why: StepNote) => void;
}

/**
 * Requests NodeInfo as specified (4.4, option B): discovery, then the advertised 2.0 URL, unchanged. A returned decision rests on NodeInfo
 * alone; the caller combines it with config.
 */
export async function readNodeInfo(context: NodeInfoContext): Promise<NodeInfoResult | Decision> {
  const { domain, ask, gate, gateElsewhere, isOptedOut, mayContact, storeDocument, recordUnsent } = context;
  const discoveryUrl = new URL('/.well-known/nodeinfo', originOf(domain));
  const forbidden = gate('discovery', discoveryUrl.pathname);
  if (forbidden !== null) {
    recordUnsent('discovery', discoveryUrl.href, forbidden);
    return declined('robots-forbidden');
  }
  const discovery = await ask('discovery', discoveryUrl, gate);
  if (discovery.kind !== 'document') return decideWithoutDiscovery(discovery);
  storeDocument('discovery', discovery.body);
  const advertised = interpretDiscovery(discovery.body, domain);
  if ('verdict' in advertised) return advertised;

  const { url, target } = advertised;
  const isElsewhere = url.host !== domain;
  if (isElsewhere && (isOptedOut(url) || !(await mayContact(url)))) return unidentified('href-refused');
  const documentGate = isElsewhere ? await gateElsewhere(url.origin) : gate;
  if (typeof documentGate !== 'function') {
    recordUnsent('nodeinfo', url.origin + target, {
      code: 'robots-unavailable',
      note: 'not requested: the robots.txt of its host is unavailable',
    });
    return documentGate;
  }
  const hrefForbidden = documentGate('nodeinfo', target);
  if (hrefForbidden !== null) {
    recordUnsent('nodeinfo', url.origin + target, hrefForbidden);
    return declined('robots-forbidden');
  }
  const document = await ask('nodeinfo', url, documentGate, target);
  if (document.kind !== 'document') return decideWithoutDocument(document, isElsewhere);
  storeDocument('nodeinfo', document.body);
  return interpretNodeInfo(document.body, { domain, url });
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
