import { classifyPage, type PageClass } from '../http/page-class.ts';
import { asObject, property } from '../identify/field-reader.ts';
import { challengeOf, jsonOf, redirectLoopWords, redirectTargetOf } from './answers.ts';
import { documentOf, isNearMiss, nodeInfoOf, valueAt } from './documents/document.ts';
import type { CheckExchange, Evidence, RequestName } from './evidence.ts';

/** Whether the server was identified as Loops; rules on the Loops API apply to no other software. */
export function isLoops({ visit }: Evidence): boolean {
  return visit.verdict === 'loops';
}

/**
 * Whether the server may be Loops, so that its config is judged: no placeholder page replaces the server, and either config names a
 * software, or NodeInfo names none but Loops.
 */
export function mayBeLoops(evidence: Evidence): boolean {
  const { visit, softwareId, answers } = evidence;
  if (placeholderPageOf(evidence) !== null) return false;
  if (visit.verdict === 'loops' || visit.via === 'config') return true;
  const [name] = [answers.nodeinfo, answers['nodeinfo-latest']].flatMap((exchange) => {
    const reading = documentOf(exchange);
    const name = reading.kind === 'object' ? valueAt(reading.document, 'software.name') : undefined;
    return typeof name === 'string' ? [name] : [];
  });
  return name === undefined || name === softwareId || isNearMiss(name, softwareId);
}

/**
 * Whether home page, config and discovery all fail or answer with a server error; only `config-answered` then reports this. The robots.txt
 * does not count, because the web server may send that file itself.
 */
export function allAnswersFail({ answers }: Evidence): boolean {
  const requested = [answers.home, answers.config, answers.discovery].filter((each) => each !== null);
  return requested.length > 0 && requested.every(isBroken);
}

function isBroken({ status, failure }: CheckExchange): boolean {
  return failure !== null || status === null || status >= 500;
}

/**
 * Whether the whole host redirects to another one, which need not work. Only `config-redirect` then reports this.
 */
export function redirectsToOtherHost({ visit, answers, domain }: Evidence): boolean {
  if (visit.verdict === 'alias') return true;
  const [config, discovery] = [documentOf(answers.config), documentOf(answers.discovery)];
  if (config.kind !== 'redirect' || discovery.kind !== 'redirect') return false;
  const host = config.to?.host;
  return host !== undefined && host !== '' && host !== domain && discovery.to?.host === host;
}

/**
 * The page that replaces the whole server: the default page of a web server, a parking page, a maintenance page. Only `http-home` reports
 * it. Null unless config and the home page are both such a page, of one kind.
 */
export function placeholderPageOf({ answers }: Evidence): PageClass | null {
  const [home, config] = [pageOf(answers.home), pageOf(answers.config)];
  return home !== null && home.class === config?.class ? home : null;
}

function pageOf(exchange: CheckExchange | null): PageClass | null {
  if (exchange === null || exchange.status === null || exchange.status >= 500) return null;
  const { status, headers, body } = exchange;
  const page = classifyPage({ status, headers, body });
  return page === null || page.class === 'challenge-page' || page.class === 'web-app' ? null : page;
}

/** Whether NodeInfo discovery fails in the same way as config. Both then have one cause, which a rule on config reports. */
export function discoveryFailsLikeConfig({ answers: { config, discovery } }: Evidence): boolean {
  if (config === null || discovery === null) return false;
  const kind = failureKindOf(config);
  return kind !== null && kind === failureKindOf(discovery);
}

/** A word for the fault of an answer, to compare it with that of another one; null without a fault that the whole host may share. */
function failureKindOf(exchange: CheckExchange): string | null {
  const reading = documentOf(exchange);
  switch (reading.kind) {
    case 'failure':
      return reading.failure;
    case 'status':
      if (reading.status >= 500) return 'server-error';
      return reading.status >= 400 && reading.status !== 404 && reading.status !== 429 ? String(reading.status) : null;
    case 'not-json':
      return reading.problem.code === 'invalid' ? null : reading.problem.code;
    case 'redirect':
      if (redirectLoopWords(exchange) !== null) return 'redirect-loop';
      return reading.to?.protocol === 'https:' ? null : `to ${reading.to?.protocol}`;
    default:
      return null;
  }
}

/** Whether NodeInfo is missing because federation is off: Loops then answers 404, which is not a fault. */
export function isNodeInfoHidden({ answers }: Evidence): boolean {
  const config = documentOf(answers.config);
  const discovery = documentOf(answers.discovery);
  return (
    config.kind === 'object' &&
    property(config.document, 'federation') === false &&
    discovery.kind === 'status' &&
    discovery.status === 404
  );
}

/**
 * Whether the web server blocks /.well-known/ while the API works, for example with a directive that denies hidden files. Loops itself answers
 * there in JSON, or with 404 while federation is off.
 */
export function isWellKnownBlocked({ answers: { config, discovery, webfinger } }: Evidence): boolean {
  const reading = documentOf(config);
  if (discovery === null || reading.kind !== 'object') return false;
  if (jsonOf(discovery) !== null || jsonOf(webfinger) !== null) return false;
  const isFederating = property(reading.document, 'federation') === true;
  return discovery.status === 403 || (discovery.status === 404 && isFederating);
}

/** Whether NodeInfo can be judged on its own: the host works, has not moved and does not hide NodeInfo. */
export function shouldJudgeNodeInfo(evidence: Evidence): boolean {
  return (
    !allAnswersFail(evidence) &&
    !redirectsToOtherHost(evidence) &&
    !isNodeInfoHidden(evidence) &&
    !discoveryFailsLikeConfig(evidence) &&
    placeholderPageOf(evidence) === null
  );
}

/**
 * Whether a Loops server declares federation: in its configuration, or, if that is silent, in NodeInfo. False for
 * other software, because the URLs of its ActivityPub actors are unknown.
 */
export function declaresFederation(evidence: Evidence): boolean {
  if (evidence.visit.verdict !== 'loops') return false;
  const config = documentOf(evidence.answers.config);
  const declared = config.kind === 'object' ? property(config.document, 'federation') : undefined;
  if (typeof declared === 'boolean') return declared;
  const protocols = property(asObject(nodeInfoOf(evidence)), 'protocols');
  return Array.isArray(protocols) && protocols.includes('activitypub');
}

/** Whether an answer may be the web app: 200 and no JSON, or the refusal of a POST to a page. */
function mayBeWebApp(exchange: CheckExchange | null): boolean {
  if (exchange === null || exchange.failure !== null || jsonOf(exchange) !== null) return false;
  const { status, method } = exchange;
  return status === 200 || (method === 'POST' && (status === 404 || status === 405));
}

/** Whether another rule reports the answer: 429, a server error, a challenge page, or a redirect, a refusal or an encoding that config has too. */
function isReportedElsewhere(exchange: CheckExchange, { answers: { config } }: Evidence): boolean {
  const status = exchange.status ?? 0;
  if (status === 429 || status >= 500 || challengeOf(exchange) !== null) return true;
  // Loops refuses in JSON.
  const isRefusal = status >= 400 && status !== 404 && jsonOf(exchange) === null;
  if (isRefusal && config?.status === status && jsonOf(config) === null) return true;
  const to = redirectTargetOf(exchange);
  if (to !== null && to.host === redirectTargetOf(config)?.host) return true;
  const isUnread = exchange.body.length === 0 && exchange.headers['content-encoding'] !== undefined;
  return isUnread && (config?.failure === 'invalid-encoding' || config?.failure === 'unsupported-encoding');
}

/** Requests whose answer is the web app too where unknown API paths are. */
const SERVED_BY_WEB_APP: ReadonlySet<RequestName> = new Set(['apps', 'unknown-video', 'self-without-token']);

/** The answer of a Loops server to a harmless request; null when it cannot be judged, or another rule reports it. */
export function judgeableAnswer(evidence: Evidence, name: RequestName): (CheckExchange & { status: number }) | null {
  const exchange = evidence.answers[name];
  if (!isLoops(evidence) || exchange === null || exchange.status === null || exchange.failure !== null) return null;
  if (isReportedElsewhere(exchange, evidence)) return null;
  if (SERVED_BY_WEB_APP.has(name) && mayBeWebApp(exchange) && mayBeWebApp(evidence.answers['unknown-api-route']))
    return null;
  return { ...exchange, status: exchange.status };
}
