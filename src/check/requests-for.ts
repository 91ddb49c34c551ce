import { REQUEST_NAMES, type RequestName } from './request-name.ts';
import type { Area, Rule } from './rule.ts';

/** What tells what a server is, and whether all of it is down, which rules on documents leave to others to name. */
const DOCUMENTS: readonly RequestName[] = [
  'home',
  'robots',
  'config',
  'discovery',
  'nodeinfo',
  'nodeinfo-latest',
  'unknown-page',
  'unknown-api-route',
  'self-without-token',
];

/** What the rules of each area read, those of others that name the cause in their place included. */
const READ: Readonly<Record<Area, readonly RequestName[]>> = {
  dns: ['config', 'config-ipv4', 'config-ipv6'],
  tls: [],
  // These two look at whatever the host answers.
  http: REQUEST_NAMES,
  api: REQUEST_NAMES,
  robots: DOCUMENTS,
  config: [...DOCUMENTS, 'config-ipv4', 'config-ipv6', 'config-preflight'],
  nodeinfo: DOCUMENTS,
  agreement: DOCUMENTS,
  oauth: [...DOCUMENTS, 'authorize', 'token', 'revoke', 'apps'],
  federation: [...DOCUMENTS, 'webfinger', 'webfinger-unknown', 'actor'],
};

/** The requests without which these rules would judge otherwise. */
export function requestsFor(rules: readonly Rule[]): ReadonlySet<RequestName> {
  return new Set(rules.flatMap(({ area }) => READ[area]));
}

/** Whether these requests are enough to tell how clients see a server. */
export function tellsViews(requests: ReadonlySet<RequestName>): boolean {
  return DOCUMENTS.every((name) => requests.has(name));
}
