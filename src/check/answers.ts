import { STATUS_CODES } from 'node:http';
import { type JsonObject, parseJsonObject } from '../identify/field-reader.ts';
import { classifyPage } from '../identify/page-class.ts';
import { originOf } from '../model/domain/domain.ts';
import { REASONS } from '../model/reason.ts';
import { type Evidence, type Exchange, REQUEST_NAMES, type RequestName } from './evidence.ts';
import { nameAll, showText } from './rule.ts';

/** The media type of an answer in small letters, without its parameters; null when it has none. */
export function contentTypeOf({ headers }: Pick<Exchange, 'headers'>): string | null {
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  return type === undefined || type === '' ? null : type;
}

/** Whether the body is a page, whatever its content type says. */
export function isHtml({ body }: Pick<Exchange, 'body'>): boolean {
  const start = new TextDecoder().decode(body.subarray(0, 512));
  return /^\s*<(?:!doctype html|html|head|title|body|!--|h1|p>|center|div|script|meta)/i.test(start);
}

/** Whether an answer is a page for people, by what it says it is or by how it begins. */
export function isPage(exchange: Exchange): boolean {
  return contentTypeOf(exchange) === 'text/html' || isHtml(exchange);
}

/** The body of an answer as a JSON object, whatever its content type says; null when it is none, or no whole answer came. */
export function jsonOf(exchange: Exchange | null): JsonObject | null {
  return exchange === null || exchange.failure !== null ? null : parseJsonObject(exchange.body);
}

/** Whose challenge page came instead of the answer: of a proxy that wants to see a browser first. Null when it is none. */
export function challengeOf(exchange: Exchange | null): { by: string | null } | null {
  if (exchange === null || exchange.status === null) return null;
  const { status, headers, body } = exchange;
  const page = classifyPage({ status, headers, body });
  return page?.class === 'challenge-page' ? { by: page.by } : null;
}

/** Where an answer redirects to; null when it is no redirect, or leads to no address. */
export function redirectsTo(exchange: Exchange | null): URL | null {
  if (exchange === null || exchange.status === null || exchange.status < 300 || exchange.status >= 400) return null;
  const { location } = exchange.headers;
  return location === undefined ? null : URL.parse(location, exchange.url);
}

/**
 * Why redirects within a host never end, in words that end a sentence about the address; null when an answer is no redirect any more, or
 * leads elsewhere.
 */
export function redirectLoopWords(exchange: Exchange | null): string | null {
  const to = redirectsTo(exchange);
  if (exchange === null || to === null || to.host !== URL.parse(exchange.url)?.host) return null;
  if (to.href === exchange.url) return 'redirects to itself, in an endless loop';
  if (exchange.followed.includes(to.href)) return 'redirects in an endless loop';
  return exchange.followed.length >= 3 ? 'redirects too many times: clients give up after three' : null;
}

/** The requests that were made to the host itself over https, those without an answer included, in the order of their names. */
export function ownAnswers({ answers, domain }: Evidence): { name: RequestName; exchange: Exchange }[] {
  const origin = originOf(domain);
  return REQUEST_NAMES.flatMap((name) => {
    const exchange = answers[name];
    if (exchange === null || !URL.canParse(exchange.url) || new URL(exchange.url).origin !== origin) return [];
    return [{ name, exchange }];
  });
}

/** What came of a request, for people: "404 Not Found as HTML", "no answer (...)". */
export function answerWords(exchange: Exchange): string {
  const { status, failure, headers, body } = exchange;
  const why = failure === null ? 'the connection was closed' : REASONS[failure].means;
  if (status === null) return `no answer (${why})`;
  if (failure !== null) return `${statusWords(status)} and no whole body (${why})`;
  if (status >= 300 && status < 400 && headers.location !== undefined) {
    return `${statusWords(status)} to ${showText(headers.location)}`;
  }
  if (body.length === 0) return `${statusWords(status)} without a body`;
  const type = isHtml(exchange) ? 'HTML' : showText(contentTypeOf(exchange) ?? 'no content type');
  return `${statusWords(status)} as ${type}`;
}

function statusWords(status: number): string {
  const words = STATUS_CODES[status];
  return words === undefined ? String(status) : `${status} ${words}`;
}

/** What was asked, for people: `GET /api/v1/config`, with the whole URL when that is not at `origin`. */
export function requestWords({ method, url }: Exchange, origin: string): string {
  return `${method} ${showText(url.startsWith(`${origin}/`) ? url.slice(origin.length) : url)}`;
}

/**
 * Which requests something came of: all of them in a word, or everything under a path, or one by one.
 *
 * @param some those that it came of. @param all those that were looked at.
 */
export function nameRequests(some: readonly Exchange[], all: readonly Exchange[], { domain }: Evidence): string {
  if (some.length > 2 && some.length === all.length) return `every request (${some.length} of ${all.length})`;
  const paths = some.map(({ url }) => new URL(url).pathname);
  const elsewhere = all.filter((each) => !some.includes(each)).map(({ url }) => new URL(url).pathname);
  const shared = ['/api/', '/oauth/', '/.well-known/'].find((start) => paths.every((path) => path.startsWith(start)));
  if (shared !== undefined && some.length > 2 && !elsewhere.some((path) => path.startsWith(shared)))
    return `everything under ${shared} (${some.length} requests)`;
  return nameAll(some.map((exchange) => requestWords(exchange, originOf(domain))));
}
