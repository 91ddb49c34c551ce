import type { Answer, ProbeExchange, SentRequest } from './exchange.ts';
import {
  isAlwaysSecretName,
  isInventedByProbe,
  isSecretHeader,
  isSecretName,
  JSON_PAIR,
  secretsIn,
  spellingsOf,
} from './secrets.ts';

/** Shorter secrets from the command line are replaced only in bodies, and only as whole words. */
const MIN_LENGTH = 6;

/** To replace more secrets would take too long, so the bodies of all answers are left out instead. A typical run has about 200. */
const MAX_SECRETS = 1_000;

/**
 * @param known secrets by name, such as the password of the command line; the secrets of the server are found in the exchanges.
 * @param bases base URLs, in which nothing is replaced.
 */
export function createRedactor(
  exchanges: readonly ProbeExchange[],
  known: Readonly<Record<string, string>>,
  bases: readonly string[],
) {
  const nameBySecret = new Map(Object.entries(known).map(([name, value]) => [value, name]));
  for (const [name, value] of secretsIn(exchanges, bases)) if (!nameBySecret.has(value)) nameBySecret.set(value, name);
  const secrets = [...nameBySecret].filter(([value]) => value.length >= MIN_LENGTH);
  const hideSecrets = createReplacement([
    ...secrets.slice(0, MAX_SECRETS).map(([value, name]) => [value, `[${name}]`] as const),
    ...bases.map((base) => [base, null] as const),
  ]);

  const text = (original: string) => hideNamed(hideSecrets(original), isAlwaysSecretName);
  // A short password may also be a part of a URL, which must stay readable.
  const short = Object.entries(known).filter(([, value]) => value.length < MIN_LENGTH && value !== '');
  const body = (original: string, isSecret: (name: string) => boolean) =>
    short.reduce((result, [name, value]) => hideWord(result, value, name), hideNamed(hideSecrets(original), isSecret));
  const headers = (all: readonly (readonly [string, string])[]) =>
    all.map(([name, value]) => [name, isSecretHeader(name) ? hideHeader(name, value) : text(value)] as const);
  const request = (sent: SentRequest): SentRequest => ({
    ...sent,
    url: text(sent.url),
    headers: Object.fromEntries(headers(Object.entries(sent.headers))),
    body: sent.body === null ? null : body(sent.body, isSecretName),
  });
  const answer = (received: Answer): Answer => ({
    ...received,
    headers: headers(received.headers),
    text: secrets.length > MAX_SECRETS ? `[${secrets.length} secrets]` : body(received.text, isAlwaysSecretName),
  });
  return {
    text,
    exchange: (exchange: ProbeExchange) => ({
      ...exchange,
      request: request(exchange.request),
      answer: exchange.answer === null ? null : answer(exchange.answer),
    }),
  };
}

/** Removes secrets from texts. A secret becomes its name in brackets. */
export type Redactor = ReturnType<typeof createRedactor>;

/** Returns a function that replaces each text, in every spelling, by its replacement. A text whose replacement is null stays as it is. */
function createReplacement(texts: readonly (readonly [string, string | null])[]): (text: string) => string {
  const spellings = texts
    .toSorted(([one], [other]) => other.length - one.length)
    .flatMap(([value, replacement]) => spellingsOf(value).map((spelling) => ({ ...spelling, replacement })));
  return (text) => {
    // One pattern of all spellings would be too large and too slow.
    const present = spellings.filter(({ part }) => text.includes(part));
    if (present.length === 0) return text;
    const pattern = new RegExp(present.map(({ pattern }) => `(${pattern})`).join('|'), 'g');
    return text.replace(pattern, (all, ...groups: unknown[]) => {
      const found = groups.slice(0, present.length).findIndex((group) => group !== undefined);
      return present[found]?.replacement ?? all;
    });
  };
}

/** Replaces a word, except where it is a part of a longer word. */
function hideWord(text: string, word: string, name: string): string {
  const pattern = word.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, 'gu'), `[${name}]`);
}

function hideHeader(name: string, value: string): string {
  if (name === 'cookie' || name === 'set-cookie') return `${/^[^=;]*=/.exec(value)?.[0] ?? ''}[secret]`;
  const scheme = /^(?:bearer|basic) +/i.exec(value)?.[0] ?? '';
  return isInventedByProbe(value.slice(scheme.length)) ? value : `${scheme}[secret]`;
}

/** `name=value` in a query or a form. */
const QUERY_PAIR = /(?<=^|[?&#])([\w.-]{1,40})=([^&#\s"'<>]*)/g;

/**
 * Replaces values of any length whose name says that they are secret: in JSON the names that `isSecret` selects, in queries and forms those
 * that `isSecretName` selects.
 */
function hideNamed(text: string, isSecret: (name: string) => boolean): string {
  // A value in brackets was replaced before.
  const mustHide = (value: string) => value !== '' && !isInventedByProbe(value) && !/^\[.*\]$/.test(value);
  return text
    .replace(JSON_PAIR, (all, name: string, value: string) =>
      isSecret(name) && mustHide(value) ? `${all.slice(0, all.length - value.length - 1)}[${name}]"` : all,
    )
    .replace(QUERY_PAIR, (all, name: string, value: string) =>
      isSecretName(name) && mustHide(value) ? `${name}=[${name}]` : all,
    );
}
