import { type Domain, isLocal } from '../model/domain/domain.ts';
import { REQUEST_NAMES, type RequestName } from './evidence.ts';
import { AREAS, type Area, areaOf, type Rule } from './rule.ts';
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

/** Every rule, in the order of the areas. */
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

/** `only` or `skip` has an unknown name; the message names it and the areas. */
export class SelectionError extends Error {
  override readonly name = 'SelectionError';
  readonly kind = 'setting';
}

/** Which rules to run, by id or area. */
export interface Selection {
  /** Empty: all. */
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
      `unknown rule or area ${named}; the areas are ${AREAS.join(', ')}, and loopscout check --rules lists the rules`,
    );
  }
  const isNamed = (rule: Rule, words: readonly string[]) => words.includes(rule.id) || words.includes(areaOf(rule));
  return rules.filter((rule) => (only.length === 0 || isNamed(rule, only)) && !isNamed(rule, skip));
}

/** Areas, and ids of rules, about DNS, TLS, https and the public name; these rules do not apply to a local server. */
const PUBLIC_RULES: readonly string[] = ['dns', 'tls', 'http-redirect', 'http-hsts', 'http-www', 'http-http2'];

/** The requests that are not sent to a local server. */
export const PUBLIC_REQUESTS: readonly RequestName[] = ['config-http', 'home-www', 'config-ipv4', 'config-ipv6'];

/** The rules that apply to a server: all of them, or for a local server all but the {@link PUBLIC_RULES}. */
export function rulesFor(domain: Domain, rules: readonly Rule[]): readonly Rule[] {
  if (!isLocal(domain)) return rules;
  return rules.filter((rule) => !PUBLIC_RULES.includes(rule.id) && !PUBLIC_RULES.includes(areaOf(rule)));
}

/** The requests on which every rule about a document depends: they identify the server, or show that it is down. */
const DOCUMENT_REQUESTS: readonly RequestName[] = [
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

/** The requests whose answers the rules of an area need: those that they judge, and those that tell whether another rule reports the cause. */
const REQUESTS_OF_AREA: Readonly<Record<Area, readonly RequestName[]>> = {
  dns: ['config', 'config-ipv4', 'config-ipv6'],
  tls: [],
  // The rules of `http` and `api` examine every answer of the host.
  http: REQUEST_NAMES,
  api: REQUEST_NAMES,
  robots: DOCUMENT_REQUESTS,
  config: [...DOCUMENT_REQUESTS, 'config-ipv4', 'config-ipv6', 'config-preflight'],
  nodeinfo: DOCUMENT_REQUESTS,
  agreement: DOCUMENT_REQUESTS,
  oauth: [...DOCUMENT_REQUESTS, 'authorize', 'token', 'revoke', 'apps'],
  federation: [...DOCUMENT_REQUESTS, 'webfinger', 'webfinger-unknown', 'actor', 'inbox'],
};

/** The requests that are sent only for an operator, each with the one rule that needs it. */
export const OPERATOR_REQUESTS: ReadonlyMap<RequestName, string> = new Map([
  ['inbox', 'federation-inbox'],
  ['upload', 'http-upload-limit'],
]);

export function requestsFor(rules: readonly Rule[]): ReadonlySet<RequestName> {
  const requests = new Set(rules.flatMap((rule) => REQUESTS_OF_AREA[areaOf(rule)]));
  for (const [name, needs] of OPERATOR_REQUESTS) if (!rules.some(({ id }) => id === needs)) requests.delete(name);
  return requests;
}

/** Whether the requests include all documents from which the views of the clients are made. */
export function canShowClientViews(requests: ReadonlySet<RequestName>): boolean {
  return DOCUMENT_REQUESTS.every((name) => requests.has(name));
}
