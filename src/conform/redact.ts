import type { Answer, Exchange, SentRequest } from './exchange.ts';
import { INVENTED } from './probes/requests.ts';

/** Parameters and JSON keys whose values are secrets. */
const SECRET_NAMES = [
  'access_token',
  'refresh_token',
  'client_secret',
  'code',
  'code_verifier',
  'password',
  'token',
  '_token',
  'csrf_token',
  'authenticity_token',
];

const SECRET_HEADERS: ReadonlySet<string> = new Set(['authorization', 'cookie', 'set-cookie']);

/** Shorter texts are replaced only where their name shows that they are secrets. */
const MIN_LENGTH = 6;

/** Removes secrets from texts. A secret becomes its name in brackets. */
export interface Redactor {
  text(text: string): string;
  exchange(exchange: Exchange): Exchange;
}

/**
 * @param known secrets by name, such as the password of the command line; those in the exchanges are found.
 */
export function createRedactor(exchanges: readonly Exchange[], known: Readonly<Record<string, string>>): Redactor {
  const secrets = new Map(Object.entries(known).map(([name, value]) => [value, name]));
  for (const { request, answer } of exchanges) {
    for (const text of [request.url, request.body ?? '', answer?.text ?? '', ...locations(answer)]) {
      for (const [name, value] of secretsIn(text)) if (!secrets.has(value)) secrets.set(value, name);
    }
    for (const value of cookiesIn(answer)) if (!secrets.has(value)) secrets.set(value, 'cookie');
  }
  for (const value of Object.values(INVENTED)) secrets.delete(value);
  const spellings = [...secrets]
    .filter(([value]) => value.length >= MIN_LENGTH)
    .flatMap(([value, name]) => spellingsOf(value).map((spelling) => [spelling, name] as const))
    .toSorted(([one], [other]) => other.length - one.length);

  const text = (original: string) =>
    spellings.reduce((result, [value, name]) => result.replaceAll(value, `[${name}]`), hideNamed(original));
  // A short password may be a word of a URL, so only whole values of bodies are replaced.
  const short = Object.entries(known).filter(([, value]) => value.length < MIN_LENGTH && value !== '');
  const body = (original: string) =>
    short.reduce((result, [name, value]) => hideWord(result, value, name), text(original));
  const headers = (all: readonly (readonly [string, string])[]) =>
    all.map(([name, value]) => [name, SECRET_HEADERS.has(name) ? hideHeader(value) : text(value)] as const);
  const request = (sent: SentRequest): SentRequest => ({
    ...sent,
    url: text(sent.url),
    headers: Object.fromEntries(headers(Object.entries(sent.headers))),
    body: sent.body === null ? null : body(sent.body),
  });
  const answer = (received: Answer): Answer => ({
    ...received,
    headers: headers(received.headers),
    text: body(received.text),
  });
  return {
    text,
    exchange: (exchange) => ({
      ...exchange,
      request: request(exchange.request),
      answer: exchange.answer === null ? null : answer(exchange.answer),
    }),
  };
}

/** Replaces a text where no letter and no digit touches it. */
function hideWord(text: string, word: string, name: string): string {
  const pattern = word.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, 'gu'), `[${name}]`);
}

function hideHeader(value: string): string {
  const invented = Object.values(INVENTED).some((text) => value === `Bearer ${text}`);
  if (invented) return value;
  return value.replace(/^(bearer |basic )?([^=;]*=)?.*$/is, (_all, scheme = '', name = '') =>
    scheme === '' ? `${name}[secret]` : `${scheme}[secret]`,
  );
}

function locations(answer: Answer | null): string[] {
  return (answer?.headers ?? []).filter(([name]) => name === 'location').map(([, value]) => value);
}

function cookiesIn(answer: Answer | null): string[] {
  return (answer?.headers ?? [])
    .filter(([name]) => name === 'set-cookie')
    .flatMap(([, line]) => /^[^=;]+=([^;]+)/.exec(line)?.[1] ?? []);
}

/** `"name":"value"` in JSON, `name=value` in a query or a form, and the hidden fields of a page, in either order of attributes. */
const NAMES = SECRET_NAMES.join('|');
const PATTERNS = [
  new RegExp(`"(${NAMES})"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)"`, 'g'),
  new RegExp(`(?<=^|[?&#])(${NAMES})=([^&#\\s"'<>]*)`, 'g'),
  new RegExp(`<input[^<>]{0,300}?\\bname="(${NAMES})"[^<>]{0,300}?\\bvalue="([^"]*)"`, 'g'),
];
const HIDDEN_REVERSED = new RegExp(`<input[^<>]{0,300}?\\bvalue="([^"]*)"[^<>]{0,300}?\\bname="(${NAMES})"`, 'g');

function* secretsIn(text: string): Generator<[name: string, value: string]> {
  for (const pattern of PATTERNS) {
    for (const [, name = '', value = ''] of text.matchAll(pattern)) if (value !== '') yield [name, decoded(value)];
  }
  for (const [, value = '', name = ''] of text.matchAll(HIDDEN_REVERSED)) if (value !== '') yield [name, value];
}

function hideNamed(text: string): string {
  const isInvented = (value: string) => Object.values(INVENTED).includes(value as never);
  const [inJson, inQuery] = PATTERNS;
  const hide = (all: string, name: string, value: string) =>
    value === '' || isInvented(value)
      ? all
      : `${all.slice(0, all.lastIndexOf(value))}[${name}]${all.endsWith('"') ? '"' : ''}`;
  return [inJson, inQuery].reduce(
    (result, pattern) => (pattern === undefined ? result : result.replace(pattern, hide)),
    text,
  );
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '));
  } catch {
    return value;
  }
}

/** How a secret may be written: as it is, percent-encoded, in a form, in JSON, in HTML. */
function spellingsOf(value: string): string[] {
  const html = value
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replaceAll('<', '&lt;');
  const form = `${new URLSearchParams({ value })}`.slice('value='.length);
  return [...new Set([value, encodeURIComponent(value), form, JSON.stringify(value).slice(1, -1), html])];
}
