import { asObject, property } from '../identify/field-reader.ts';
import { classifyPage, type PageClass } from '../identify/page-class.ts';
import { isHtml, redirectLoopWords } from './answers.ts';
import { documentOf, isNearMiss, nodeInfoOf, valueAt } from './documents/document.ts';
import type { Evidence, Exchange } from './evidence.ts';

/** Whether the server is one of the service: of another software, nobody expects its interface. */
export function isService({ visit }: Evidence): boolean {
  return visit.verdict === 'loops';
}

/** Whether the server may be one of the service: unless config says so or names another itself, NodeInfo, 2.0 first, names no other, and no page stands in for it. */
export function mayBeService(evidence: Evidence): boolean {
  const { visit, softwareId, answers } = evidence;
  if (standInOf(evidence) !== null) return false;
  if (visit.verdict === 'loops' || visit.via === 'config') return true;
  const [name] = [answers.nodeinfo, answers['nodeinfo-latest']].flatMap((exchange) => {
    const reading = documentOf(exchange);
    const given = reading.kind === 'object' ? valueAt(reading.document, 'software.name') : undefined;
    return typeof given === 'string' ? [given] : [];
  });
  return name === undefined || name === softwareId || isNearMiss(name, softwareId);
}

/**
 * Whether nothing that a program answers was answered but with a server error: then that is what is wrong, and nothing else is. A
 * robots.txt that is there says nothing against it, as the web server sends that file itself.
 */
export function allAnswersFail({ answers }: Evidence): boolean {
  const asked = [answers.home, answers.config, answers.discovery].filter((each) => each !== null);
  return asked.length > 0 && asked.every(isBroken);
}

function isBroken({ status, failure }: Exchange): boolean {
  return failure !== null || status === null || status >= 500;
}

/**
 * Whether the host redirects to another, which may be dead: then that is what there is to say, by the rule of config's status, and
 * nothing else.
 */
export function movedAway({ visit, answers, domain }: Evidence): boolean {
  if (visit.verdict === 'alias') return true;
  const [config, discovery] = [documentOf(answers.config), documentOf(answers.discovery)];
  if (config.kind !== 'redirect' || discovery.kind !== 'redirect') return false;
  const host = config.to?.host;
  return host !== undefined && host !== '' && host !== domain && discovery.to?.host === host;
}

/**
 * The page that stands in for the whole server: of a fresh web server, of a name that is for sale, of maintenance. The rule on the home
 * page names it, and nothing else is wrong. Null when config is answered otherwise than home.
 */
export function standInOf({ answers }: Evidence): PageClass | null {
  const [home, config] = [pageOf(answers.home), pageOf(answers.config)];
  return home !== null && home.class === config?.class ? home : null;
}

function pageOf(exchange: Exchange | null): PageClass | null {
  if (exchange === null || exchange.status === null || exchange.status >= 500) return null;
  const { status, headers, body } = exchange;
  const page = classifyPage({ status, headers, body });
  return page === null || page.class === 'challenge-page' || page.class === 'web-app' ? null : page;
}

/** Statuses by which a whole site is closed. */
const CLOSED: ReadonlySet<number> = new Set([401, 403, 407, 410, 451]);

/** Whether NodeInfo discovery fails in the way in which config does: that is one cause, and the rule on config names it. */
export function failsAsConfig({ answers: { config, discovery } }: Evidence): boolean {
  if (config === null || discovery === null) return false;
  const way = wayOf(config);
  return way !== null && way === wayOf(discovery);
}

function wayOf(exchange: Exchange): string | null {
  const reading = documentOf(exchange);
  switch (reading.kind) {
    case 'failure':
      return reading.failure;
    case 'status':
      if (reading.status >= 500) return 'server-error';
      return CLOSED.has(reading.status) ? String(reading.status) : null;
    case 'not-json':
      return reading.problem.code === 'invalid' ? null : reading.problem.code;
    case 'redirect':
      if (redirectLoopWords(exchange) !== null) return 'circle';
      return reading.to?.protocol === 'https:' ? null : `to ${reading.to?.protocol}`;
    default:
      return null;
  }
}

/** Whether NodeInfo is missing because federation is off: Loops answers 404 there then, and nothing is wrong with NodeInfo. */
export function hidesNodeInfo({ answers }: Evidence): boolean {
  const config = documentOf(answers.config);
  const discovery = documentOf(answers.discovery);
  return (
    config.kind === 'object' &&
    property(config.document, 'federation') === false &&
    discovery.kind === 'status' &&
    discovery.status === 404
  );
}

/** Whether there is anything to say of NodeInfo that does not follow from something larger: a dead host, a move, federation that is off. */
export function nodeInfoConcerns(evidence: Evidence): boolean {
  return (
    !allAnswersFail(evidence) &&
    !movedAway(evidence) &&
    !hidesNodeInfo(evidence) &&
    !failsAsConfig(evidence) &&
    standInOf(evidence) === null
  );
}

/**
 * Whether a server of the service says that it federates: its configuration does, or, where that says nothing of it, NodeInfo does. Of
 * other software nobody knows which actors it has.
 */
export function federates(evidence: Evidence): boolean {
  if (evidence.visit.verdict !== 'loops') return false;
  const config = documentOf(evidence.answers.config);
  const said = config.kind === 'object' ? property(config.document, 'federation') : undefined;
  if (typeof said === 'boolean') return said;
  const protocols = property(asObject(nodeInfoOf(evidence)), 'protocols');
  return Array.isArray(protocols) && protocols.includes('activitypub');
}

/** Whether addresses of the API that there are not are answered with the web app and 200: then what else is odd there has that cause. */
export function apiIsPages({ answers }: Evidence): boolean {
  const unknown = answers['unknown-api-route'];
  return unknown !== null && unknown.status === 200 && isHtml(unknown);
}
