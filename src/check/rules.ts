import { REQUEST_NAMES, type RequestName } from './evidence.ts';
import { AREAS, type Area, type Rule } from './rule.ts';
import { agreementRules } from './rules/agreement.ts';
import { apiRules } from './rules/api.ts';
import { configRules } from './rules/config.ts';
import { dnsRules } from './rules/dns.ts';
import { federationRules } from './rules/federation.ts';
import { httpRules } from './rules/http.ts';
import { nodeinfoRules } from './rules/nodeinfo.ts';
import { oauthRules } from './rules/oauth.ts';
import { robotsRules } from './rules/robots.ts';
import { tlsRules } from './rules/tls.ts';

/** Every rule, in the order of a report's areas. */
export const RULES: readonly Rule[] = [
  ...dnsRules,
  ...tlsRules,
  ...httpRules,
  ...robotsRules,
  ...configRules,
  ...nodeinfoRules,
  ...agreementRules,
  ...apiRules,
  ...oauthRules,
  ...federationRules,
];

/** `only` or `skip` names what there is not; the message says which, and what it can be. */
export class SelectionError extends Error {
  override readonly name = 'SelectionError';
  readonly kind = 'setting';
}

/** Rules by their ids or areas. */
export interface Selection {
  /** None: all. */
  only?: readonly string[] | undefined;
  skip?: readonly string[] | undefined;
}

/** @throws {SelectionError} */
export function selectRules(rules: readonly Rule[], { only = [], skip = [] }: Selection): readonly Rule[] {
  const known = new Set<string>([...AREAS, ...rules.map(({ id }) => id)]);
  const unknown = [...new Set([...only, ...skip].filter((word) => !known.has(word)))];
  if (unknown.length > 0) {
    const named = unknown.map((word) => JSON.stringify(word)).join(', ');
    throw new SelectionError(
      `there is no rule and no area ${named}; the areas are ${AREAS.join(', ')}, and every finding has the id of its rule`,
    );
  }
  const isNamed = ({ id, area }: Rule, words: readonly string[]) => words.includes(id) || words.includes(area);
  return rules.filter((rule) => (only.length === 0 || isNamed(rule, only)) && !isNamed(rule, skip));
}

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
export function canShowClientViews(requests: ReadonlySet<RequestName>): boolean {
  return DOCUMENTS.every((name) => requests.has(name));
}
