import { type Answer, headerOf, type ProbeExchange, type SentRequest } from './exchange.ts';
import { PROBE_NEEDS, type ProbeId } from './probes/probe-ids.ts';
import { isRedirectUri } from './probes/redirect-uri.ts';
import { INVENTED } from './probes/requests.ts';

/** A secret of a run and its name. */
export type Secret = readonly [name: string, value: string];

/** Names whose values are secrets everywhere, in the form of {@link normalised}. */
const ALWAYS_SECRET: ReadonlySet<string> = new Set(['accesstoken', 'refreshtoken', 'idtoken', 'clientsecret']);

/** Names whose values are secrets in requests and redirects. In error answers, the same names can have ordinary words as values. */
const SOMETIMES_SECRET: ReadonlySet<string> = new Set([
  'code',
  'codeverifier',
  'password',
  'token',
  'secret',
  'csrftoken',
  'xsrftoken',
  'authenticitytoken',
]);

/** Matches the names of form fields and query parameters that probably hold a secret. */
const FIELD_NAME = /csrf|xsrf|secret|passw|nonce|token$/;

/** Shorter values are too likely to be words. */
const MIN_LENGTH = 8;

/** The letters of a name in lower case: `client_secret`, `clientSecret` and `Client-Secret` are the same name. */
function normalised(name: string): string {
  return name.replace(/[^a-z]/gi, '').toLowerCase();
}

export function isAlwaysSecretName(name: string): boolean {
  return ALWAYS_SECRET.has(normalised(name));
}

export function isSecretName(name: string): boolean {
  return ALWAYS_SECRET.has(normalised(name)) || SOMETIMES_SECRET.has(normalised(name));
}

export function isSecretHeader(name: string): boolean {
  return /^(?:proxy-)?authorization$|^cookie$|^set-cookie$|csrf|xsrf|secret|token/.test(name);
}

export function isInventedByProbe(value: string): boolean {
  return Object.values(INVENTED).includes(value as never);
}

/** The secrets in the exchanges, apart from values that our own requests contain as ordinary text. */
export function secretsIn(exchanges: readonly ProbeExchange[], bases: readonly string[]): Secret[] {
  const ownText = [...bases, ...exchanges.filter(hasOnlyOwnValues).map(({ request }) => textOf(request))].join('\n');
  return exchanges
    .flatMap((exchange) => [...secretsInRequest(exchange.request), ...secretsInAnswer(exchange)])
    .filter(([, value]) => value.length >= MIN_LENGTH && !isInventedByProbe(value) && !ownText.includes(value));
}

/** Whether the request contains no value that the server chose. */
function hasOnlyOwnValues({ probe }: ProbeExchange): boolean {
  return (
    (PROBE_NEEDS[probe as ProbeId] === 'nothing' && !/^(?:nodeinfo|authorize)/.test(probe)) || probe.startsWith('apps')
  );
}

/** The text of a request without secret headers, and two ordinary words that occur only in the requests of later probes. */
function textOf({ method, url, headers, body }: SentRequest): string {
  const plainHeaders = Object.entries(headers).filter(([name]) => !isSecretHeader(name));
  return `${method} ${url}\n${decoded(url)}\n${plainHeaders.join('\n')}\n${body}\nauthorization_code\ncode_challenge_method`;
}

function* secretsInRequest({ url, headers, body }: SentRequest): Generator<Secret> {
  yield* secretsInQuery(new URLSearchParams(url.split(/[?#]/).slice(1).join('&')));
  for (const [name, value] of Object.entries(headers)) yield* secretsInHeader(name, value);
  if (body === null) return;
  const json = parsed(body);
  if (json === null) yield* secretsInQuery(new URLSearchParams(body));
  else yield* secretsInJson(json, isSecretName);
}

function* secretsInAnswer({ probe, request, answer }: ProbeExchange): Generator<Secret> {
  if (answer === null) return;
  const isSuccess = answer.status >= 200 && answer.status < 300;
  const isWanted = (name: string) =>
    isAlwaysSecretName(name) || (isSuccess && ['token', 'secret'].includes(normalised(name)));
  if (/\/(?:oauth\/token|api\/v1\/apps)(?:\?|$)/.test(request.url)) {
    const json = parsed(answer.text);
    if (json === null) yield* secretsInText(answer.text);
    else yield* secretsInJson(json, isWanted);
  }
  const isOfClient = probe.startsWith('scenario ');
  const location = URL.parse(headerOf(answer, 'location') ?? '');
  if (location !== null && (isOfClient || isRedirectUri(location))) {
    yield* secretsInQuery(new URLSearchParams([location.search.slice(1), location.hash.slice(1)].join('&')));
  }
  for (const [name, value] of answer.headers) yield* secretsInHeader(name, value);
  yield* secretsInPage(answer);
  const codeOnPage = isOfClient ? /id="code"[^<>]*>([^<]+)</.exec(answer.text)?.[1] : undefined;
  if (codeOnPage !== undefined) yield ['code', codeOnPage];
}

function* secretsInQuery(query: URLSearchParams): Generator<Secret> {
  for (const [name, value] of query) if (isSecretName(name) || FIELD_NAME.test(normalised(name))) yield [name, value];
}

function* secretsInHeader(name: string, value: string): Generator<Secret> {
  if (!isSecretHeader(name)) return;
  if (name === 'set-cookie' || name === 'cookie') {
    const pairs = name === 'cookie' ? value.split(/;\s*/) : [value.split(';', 1)[0] ?? ''];
    for (const pair of pairs) {
      const text = pair.slice(pair.indexOf('=') + 1).replaceAll('"', '');
      yield ['cookie', text];
      yield ['cookie', decoded(text)];
    }
    return;
  }
  const [, scheme = '', credentials = ''] = /^(?:(\S+)\s+)?(.*)$/s.exec(value) ?? [];
  yield [scheme === '' || name !== 'authorization' ? name : scheme.toLowerCase(), credentials];
  if (scheme.toLowerCase() !== 'basic') return;
  const pair = Buffer.from(credentials, 'base64').toString();
  yield ['client_secret', pair.slice(pair.indexOf(':') + 1)];
}

/** Every text and number at and below the wanted names. Uses a list instead of recursion, because answers may be nested deeply. */
function* secretsInJson(json: unknown, isWanted: (name: string) => boolean): Generator<Secret> {
  const pending: { name: string | null; value: unknown }[] = [{ name: null, value: json }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { name, value } = next;
    if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        pending.push({ name: name ?? (isWanted(key) ? key : null), value: member });
      }
    } else if (name !== null && (typeof value === 'string' || typeof value === 'number')) yield [name, String(value)];
  }
}

/** `"name":"value"`. */
export const JSON_PAIR = /"([\w.-]{1,40})"\s*:\s*"((?:[^"\\]|\\.)*)"/g;

function* secretsInText(text: string): Generator<Secret> {
  for (const [, name = '', value = ''] of text.matchAll(JSON_PAIR)) if (isAlwaysSecretName(name)) yield [name, value];
}

/** The hidden fields and the CSRF tokens of a page. */
function* secretsInPage({ text }: Answer): Generator<Secret> {
  for (const [tag] of text.matchAll(/<(?:input|meta)\b[^<>]{0,1000}/gi)) {
    const attributes = new Map<string, string>();
    for (const [, name = '', value = ''] of tag.matchAll(/(?<![\w-])([\w-]+)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)/g)) {
      attributes.set(name.toLowerCase(), value.replace(/^["']|["']$/g, ''));
    }
    const name = attributes.get('name') ?? '';
    const value = attributes.get('value') ?? attributes.get('content') ?? '';
    if (isSecretName(name) || FIELD_NAME.test(normalised(name))) yield [name, value];
  }
}

function parsed(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const ENTITIES: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

/** A way to write a secret. */
export interface Spelling {
  /** Matches the secret as it is, percent-encoded, in a form, in JSON and in HTML. */
  pattern: string;
  /** A text that every match contains, because letters and digits are never encoded. */
  part: string;
}

/** A longer secret is matched by its first characters and whatever follows them in the same word. */
const MAX_LENGTH = 500;

/** The spellings of a secret: itself and its Base64. */
export function spellingsOf(secret: string): Spelling[] {
  const bytes = Buffer.from(secret);
  const encoded = [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')];
  return [secret, ...new Set(encoded)].map((text) => {
    const beginning = text.slice(0, MAX_LENGTH);
    const end = beginning === text ? '' : '[^\\s"\'<>]*';
    const words = beginning.match(/[a-z\d]+/gi) ?? [''];
    return {
      pattern: [...beginning].map(spellingsOfCharacter).join('') + end,
      part: words.reduce((longest, word) => (word.length > longest.length ? word : longest)),
    };
  });
}

function spellingsOfCharacter(character: string): string {
  if (/[a-z\d]/i.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  const anyCase = (text: string) => text.replace(/[A-F]/gi, (hex) => `[${hex.toLowerCase()}${hex.toUpperCase()}]`);
  const percent = [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  const escapes = units.map((unit) => `\\\\u${anyCase(unit.toString(16).padStart(4, '0'))}`).join('');
  const entity = ENTITIES[character];
  return `(?:${[
    // In JSON within JSON, three backslashes precede a quotation mark.
    `\\\\{0,3}${character.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)}`,
    anyCase(percent),
    escapes,
    `&#0*${code};`,
    `&#[xX]0*${anyCase(code.toString(16))};`,
    ...(entity === undefined ? [] : [`&${entity};`]),
    ...(character === ' ' ? ['\\+'] : []),
    ...(character === '\n' ? ['\\\\+n'] : []),
  ].join('|')})`;
}
