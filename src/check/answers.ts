import { STATUS_CODES } from 'node:http';
import { classifyPage } from '../http/page-class.ts';
import { locationUrl } from '../http/response-headers.ts';
import { isUsualPort } from '../identify/documents.ts';
import { type JsonObject, parseJsonObject } from '../identify/field-reader.ts';
import { hostOf, isLocal, originOf } from '../model/domain/domain.ts';
import { REASONS } from '../model/reason.ts';
import { type CheckExchange, type Evidence, REQUEST_NAMES, type RequestName } from './evidence.ts';
import { listItems, showText } from './rule.ts';

/** The media type of an answer in lower case, without parameters; null when it has none. */
export function contentTypeOf({ headers }: CheckExchange): string | null {
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  return type === undefined || type === '' ? null : type;
}

/** Whether the body is HTML, regardless of its content type. */
export function isHtml({ body }: Pick<CheckExchange, 'body'>): boolean {
  const start = new TextDecoder().decode(body.subarray(0, 512));
  return /^\s*<(?:!doctype html|html|head|title|body|!--|h1|p>|center|div|script|meta)/i.test(start);
}

/** Whether an answer is an HTML page, by its content type or its body. */
export function isPage(exchange: CheckExchange): boolean {
  return contentTypeOf(exchange) === 'text/html' || isHtml(exchange);
}

/** Whether a decoded body is still compressed with gzip (RFC 1952 section 2.3.1). */
export function isStillCompressed({ body }: Pick<CheckExchange, 'body'>): boolean {
  return body[0] === 0x1f && body[1] === 0x8b;
}

/** The body of a complete answer as a JSON object, regardless of its content type; null when it is not one. */
export function jsonOf(exchange: CheckExchange | null): JsonObject | null {
  return exchange === null || exchange.failure !== null ? null : parseJsonObject(exchange.body);
}

/** The challenge page that a proxy sent instead of the answer; `by` is the vendor of the proxy, if known. Null when there is none. */
export function challengeOf(exchange: CheckExchange | null): { by: string | null } | null {
  if (exchange === null || exchange.status === null) return null;
  const { status, headers, body } = exchange;
  const page = classifyPage({ status, headers, body });
  return page?.class === 'challenge-page' ? { by: page.by } : null;
}

/** The target of a redirect; null when the answer is not a redirect or has no valid target. */
export function redirectTargetOf(exchange: CheckExchange | null): URL | null {
  if (exchange === null || exchange.status === null || exchange.status < 300 || exchange.status >= 400) return null;
  const { location } = exchange.headers;
  return location === undefined ? null : locationUrl(location, exchange.url);
}

/**
 * Whether a redirect leads to the scheme or port of a web server behind a proxy: to the checked name itself, to a port that is not usual,
 * or to a name of the inside. Directories then have no other name to list.
 */
export function leadsInside(to: URL, { domain, visit }: Evidence): boolean {
  if (visit.aliasOf !== null || isLocal(domain)) return false;
  if (to.hostname === hostOf(domain)) return to.host !== domain || to.protocol === 'http:';
  return !isUsualPort(to, domain) || !to.hostname.includes('.') || INNER_NAME.test(to.hostname);
}

/** Names and addresses that have no meaning outside of a network. */
const INNER_NAME =
  /\.(?:internal|local|localhost|lan|localdomain|home\.arpa)$|^(?:10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.[\d.]+$|^\[/;

/**
 * Describes a redirect loop or too many redirects within a host, as the end of a sentence about the URL. Null when there is neither, or the
 * last answer leads to another host.
 */
export function redirectLoopWords(exchange: CheckExchange | null): string | null {
  const to = redirectTargetOf(exchange);
  if (exchange === null || to === null || to.host !== URL.parse(exchange.url)?.host) return null;
  if (to.href === exchange.url) return 'redirects to itself, in an endless loop';
  if (exchange.followed.includes(to.href)) return 'redirects in an endless loop';
  return exchange.followed.length >= 3 ? 'redirects too many times: clients give up after three' : null;
}

/** The requests to the origin of the checked host, answered or not, in the order of `REQUEST_NAMES`; without `upload`, whose answer may be cut off. */
export function exchangesWithHost({ answers, domain }: Evidence): { name: RequestName; exchange: CheckExchange }[] {
  const origin = originOf(domain);
  return REQUEST_NAMES.flatMap((name) => {
    const exchange = answers[name];
    if (
      name === 'upload' ||
      exchange === null ||
      !URL.canParse(exchange.url) ||
      new URL(exchange.url).origin !== origin
    )
      return [];
    return [{ name, exchange }];
  });
}

/** Those of {@link exchangesWithHost} that got a complete answer. */
export function completeAnswers(evidence: Evidence): { name: RequestName; exchange: CheckExchange }[] {
  return exchangesWithHost(evidence).filter(({ exchange }) => exchange.status !== null && exchange.failure === null);
}

/** The path and query of a URL, to show. */
export function pathOf({ pathname, search }: URL): string {
  return showText(pathname + search);
}

/** The result of a request in words: "404 Not Found as HTML", "no answer (...)". */
export function answerWords(exchange: CheckExchange): string {
  const { status, failure, headers, body } = exchange;
  const why = failure === null ? 'the connection was closed' : REASONS[failure].means;
  if (status === null) return `no answer (${why})`;
  if (failure !== null) return `${statusWords(status)} and an incomplete body (${why})`;
  if (status >= 300 && status < 400 && headers.location !== undefined) {
    return `${statusWords(status)} to ${showText(headers.location)}`;
  }
  // The body of an error is empty too if it cannot be decoded.
  if (body.length === 0)
    return `${statusWords(status)} without a ${headers['content-encoding'] === undefined ? '' : 'readable '}body`;
  const type = isHtml(exchange) ? 'HTML' : showText(contentTypeOf(exchange) ?? 'no content type');
  return `${statusWords(status)} as ${type}`;
}

function statusWords(status: number): string {
  const words = STATUS_CODES[status];
  return words === undefined ? String(status) : `${status} ${words}`;
}

/** A request in words: `GET /api/v1/config`, with the full URL when it is not at `origin`. */
export function requestWords({ method, url }: CheckExchange, origin: string): string {
  return `${method} ${showText(url.startsWith(`${origin}/`) ? url.slice(origin.length) : url)}`;
}

/**
 * Names the affected requests: "every request", "everything under /api/", or one by one.
 *
 * @param affected is part of `all`.
 */
export function nameRequests(
  affected: readonly CheckExchange[],
  all: readonly CheckExchange[],
  { domain }: Evidence,
): string {
  if (affected.length > 2 && affected.length === all.length)
    return `every request (${affected.length} of ${all.length})`;
  const paths = affected.map(({ url }) => new URL(url).pathname);
  const otherPaths = all.filter((each) => !affected.includes(each)).map(({ url }) => new URL(url).pathname);
  const shared = ['/api/', '/oauth/', '/.well-known/'].find((start) => paths.every((path) => path.startsWith(start)));
  if (shared !== undefined && affected.length > 2 && otherPaths.some((path) => path.startsWith(shared)))
    return `everything under ${shared} (${affected.length} requests)`;
  return listItems(affected.map((exchange) => requestWords(exchange, originOf(domain))));
}
