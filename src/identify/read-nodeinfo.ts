import type { MayContactHost, OptOutGuard } from '../http/admit-host.ts';
import { type Domain, originOf } from '../model/domain/domain.ts';
import type { Answer, Ask, RobotsGate, StepNote } from './ask.ts';
import { alias, type Decision, declined, unidentified, unreachable } from './decision.ts';
import { interpretDiscovery, interpretNodeInfo, type NodeInfoResult } from './documents.ts';
import type { KeepDocument } from './visit-builder.ts';

export interface NodeInfoContext {
  domain: Domain;
  ask: Ask;
  gate: RobotsGate;
  /** What the robots.txt of another host says, where the document is on one. */
  gateElsewhere: (origin: string) => Promise<RobotsGate | Decision>;
  /** Whom it names is not asked, and named in no step. */
  isOptedOut: OptOutGuard;
  mayContactHost: MayContactHost;
  keep: KeepDocument;
  note: (probe: 'discovery' | 'nodeinfo', url: string, why: StepNote) => void;
}

/**
 * NodeInfo as the specification has it (4.4, option B): discovery, then the advertised 2.0 address exactly as given.
 * A decision is what this alone would make of the host; the caller knows whether config said more.
 */
export async function readNodeInfo(context: NodeInfoContext): Promise<NodeInfoResult | Decision> {
  const { domain, ask, gate, gateElsewhere, isOptedOut, mayContactHost, keep, note } = context;
  const discoveryUrl = new URL('/.well-known/nodeinfo', originOf(domain));
  const forbidden = gate('discovery', discoveryUrl.pathname);
  if (forbidden !== null) {
    note('discovery', discoveryUrl.href, forbidden);
    return declined('robots-forbidden');
  }
  const discovery = await ask('discovery', discoveryUrl, gate);
  if (discovery.kind !== 'document') return withoutDiscovery(discovery);
  keep('discovery', discovery.body);
  const advertised = interpretDiscovery(discovery.body, domain);
  if ('verdict' in advertised) return advertised;

  const { url, target } = advertised;
  const isElsewhere = url.host !== domain;
  if (isElsewhere && (isOptedOut(url) || !mayContactHost(url, domain))) return unidentified('href-refused');
  const theirs = isElsewhere ? await gateElsewhere(url.origin) : gate;
  if (typeof theirs !== 'function') {
    note('nodeinfo', url.origin + target, {
      code: 'robots-unavailable',
      note: 'not asked: its host did not give its robots.txt',
    });
    return theirs;
  }
  const hrefForbidden = theirs('nodeinfo', target);
  if (hrefForbidden !== null) {
    note('nodeinfo', url.origin + target, hrefForbidden);
    return declined('robots-forbidden');
  }
  const document = await ask('nodeinfo', url, theirs, target);
  if (document.kind !== 'document') return withoutDocument(document, isElsewhere);
  keep('nodeinfo', document.body);
  return interpretNodeInfo(document.body, { domain, url });
}

function withoutDiscovery(answer: Exclude<Answer, { kind: 'document' }>): Decision {
  switch (answer.kind) {
    case 'redirected':
      return alias(answer.to);
    case 'redirect-failed':
      return unidentified(answer.reason);
    case 'forbidden':
      return declined('robots-forbidden');
    case 'failure':
      if (answer.failure === 'forbidden-address') return declined(answer.failure);
      return answer.failure === 'body-too-large' ? unidentified(answer.failure) : unreachable(answer.failure);
    case 'status':
      if (answer.status === 410) return declined('gone');
      if (answer.status === 429) return declined('rate-limited', answer.retryAfterMs);
      return answer.status >= 500 ? unreachable('http-5xx', answer.retryAfterMs) : unidentified('no-nodeinfo');
  }
}

/** The host answered, so from here on it is at worst unidentified; an address forbidden to us is the one exception. */
function withoutDocument(answer: Exclude<Answer, { kind: 'document' }>, isElsewhere: boolean): Decision {
  switch (answer.kind) {
    case 'redirected':
      return unidentified('href-redirected');
    case 'redirect-failed':
      return unidentified(answer.reason);
    case 'forbidden':
      return declined('robots-forbidden');
    case 'failure':
      if (answer.failure === 'forbidden-address') return declined(answer.failure);
      return unidentified(answer.failure === 'body-too-large' ? answer.failure : 'href-dead');
    case 'status':
      return answer.status === 429 && !isElsewhere
        ? declined('rate-limited', answer.retryAfterMs)
        : unidentified('href-dead');
  }
}
