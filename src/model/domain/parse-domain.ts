import { isIPv6 } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';
import { parse } from 'tldts';
import type { Domain } from './domain.ts';

/** Why a text is not a domain. Import reports contain these words, so they are never renamed. */
export const domainRefusals = {
  empty: 'Nothing is left after removing white space, scheme, user and path.',
  'ip-literal': 'An IP address in any notation: dotted, short, decimal, octal, hexadecimal, IPv6.',
  'single-label': 'A name without a dot, such as `localhost`.',
  'bad-label':
    'A label that no host can have: empty, over 63 characters, a hyphen at an end, a character other than letters, digits and hyphens once mapped to ASCII (RFC 1123 section 2.1, UTS 46), or invalid Punycode (RFC 3492).',
  'too-long': 'A host name of over 253 characters (RFC 1035 section 2.3.4), or a text of over 4,096.',
  'reserved-suffix': 'A name reserved outside the public DNS, such as `.test` or `.onion`.',
  'unknown-suffix': 'A name whose suffix is not on the public suffix list.',
  'two-hosts': 'More than one host in one text.',
  'bad-port': 'A port that is not a number from 1 to 65535.',
  'blocked-port': 'A port of another protocol, such as 25, which browsers block (Fetch standard, Port blocking).',
  'unsupported-scheme': 'A URL of a scheme other than http, https and acct.',
} as const;

export type DomainRefusal = keyof typeof domainRefusals;

/** Why a text was refused: the reason for code, and a phrase for people. */
type Refused = { readonly ok: false; readonly reason: DomainRefusal; readonly detail: string };

function refused(reason: DomainRefusal, detail: string): Refused {
  return { ok: false, reason, detail };
}

const lowerCaseAscii = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/;
const cjk = String.raw`[\p{sc=Hira}\p{sc=Kana}\p{sc=Han}]`;
/** Letters, marks, numbers, dots, emoji, and the punctuation of IDNA 2008 in its context (RFC 5892 appendix A). */
const nameCharacter = String.raw`[\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Emoji_Modifier}\p{RI}.。．｡\u200c\u200d\u0375\u05f3\u05f4-]|(?<=l)·(?=l)|(?<=${cjk})・(?=${cjk})`;
/**
 * Blocks, squares, circles, stars, crosses and invisible characters hide letters: the rest of such a name is a fragment. Joiners are left to
 * UTS 46, and an emoji may be followed by its variation selector.
 */
const mask = String.raw`[\u2500-\u25ff\u26aa\u26ab\u2713-\u2721\u2733\u2734\u2744-\u274e\u2b00-\u2bff\u{1f7e0}-\u{1f7eb}]|(?![\u200c\u200d]|(?<=\p{Extended_Pictographic})\ufe0f)\p{DI}`;
const forbidden = new RegExp(`${mask}|(?!${nameCharacter})[^]`, 'iu');
/** What hides letters, or stands for a dot, where punctuation is allowed. */
export const MASK: RegExp = new RegExp(String.raw`${mask}|[*#…‥•·∙⋅]|[[(] ?(?:\.|dot) ?[\])]`, 'iu');

/**
 * Converts a host name to lower case and A-labels (UTS 46, non-transitional, as browsers do), without a trailing dot. Refuses a host
 * that is not a sequence of at least two well-formed labels.
 */
function normaliseHost(written: string): { readonly ok: true; readonly host: string } | Refused {
  const character = forbidden.exec(written)?.[0];
  if (character !== undefined)
    return refused('bad-label', `${describeCharacter(character)}, which no host name can have`);
  const host = mapToAscii(written);
  if (host === null) return refused('bad-label', 'a character that no host name can have');
  if (host === '') return refused('empty', 'no host name');
  if (host.length > 253) return refused('too-long', `${host.length} characters; a host name has at most 253`);
  const labels = host.split('.');
  // A host that ends in a number is an IPv4 address to every URL parser (WHATWG URL, "ends in a number").
  if (/^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? '')) return refused('ip-literal', 'an IPv4 address');
  for (const label of labels) {
    const fault = findLabelFault(label);
    if (fault !== null) return refused('bad-label', fault);
  }
  if (labels.length === 1) return refused('single-label', 'a name without a dot');
  return { ok: true, host };
}

/** Null when UTS 46 disallows a character. The caller has checked the ASCII characters, because Node decodes some of them and truncates the name at others. */
function mapToAscii(written: string): string | null {
  const lower = written.toLowerCase();
  if (lowerCaseAscii.test(lower)) return lower;
  const mapped = /[^\0-\u007f]/.test(written) ? domainToASCII(written) : lower;
  if (mapped === '' && written !== '') return null;
  return mapped.endsWith('.') ? mapped.slice(0, -1) : mapped;
}

function describeCharacter(character: string): string {
  if (/\s/.test(character)) return 'white space';
  if (character > ' ' && character < '\u007f') return `"${character}"`;
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function findLabelFault(label: string): string | null {
  if (label === '') return 'an empty label';
  if (label.length > 63) return `a label of ${label.length} characters; at most 63 are allowed`;
  if (label.startsWith('-') || label.endsWith('-')) return `a hyphen at an end of "${label}"`;
  if (!/^[a-z0-9-]+$/.test(label)) return `a character that no host name can have, in "${label}"`;
  if (label.startsWith('xn--') && !isPunycode(label)) return `invalid Punycode in "${label}"`;
  return null;
}

/**
 * Node returns an undecodable label unchanged, so only a label that decodes and encodes back is Punycode. The decoded label must not
 * start or end with a hyphen either (RFC 5891 section 4.2.3.1).
 */
function isPunycode(label: string): boolean {
  const decoded = domainToUnicode(label);
  return decoded !== label && domainToASCII(decoded) === label && !/^-|-$/.test(decoded);
}

/** A host as written, and its port; `port` is null for a text without a port, for 443 and for the default port of the scheme. */
type Authority = { readonly ok: true; readonly host: string; readonly port: number | null };

const plainName = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+\.?$/i;
const separators = /[\s,;|]+/;
/** What ends a host. A `#`, a `?` or a backslash may also hide letters (`loops.vi##.example`), so they end it only as part of a URL. */
const hostEnd = /^(?:$|\/|\?[\w-]+=|\\[a-z0-9@/\\])/i;
const webScheme = /^https?:[/\\]*/i;
/** `mailto:x` or `gemini://x`, but not `loops.example:8443`: digits after the colon are a port. */
const otherScheme = /^([a-z][a-z0-9+-]*):(?!\d+(?:[/?#\\]|$))|^([a-z][a-z0-9+.-]*):\/\//i;

/**
 * Extracts the host and port from the ways people write a server: a name, a URL, `@user@host`, `@host`, `user@host` or
 * `acct:user@host` (RFC 7565). Expects trimmed text. A backslash ends the host, as in browsers (WHATWG URL).
 */
function parseAuthority(text: string): Authority | Refused {
  // Fast path for most lists: the steps below apply only to texts with a character that a plain name cannot contain.
  if (plainName.test(text)) return { ok: true, host: text, port: null };
  if (isIPv6(text)) return refused('ip-literal', 'an IPv6 address');
  const web = webScheme.exec(text)?.[0];
  const isAccount = web === undefined && /^acct:/i.test(text);
  const unsupported = web === undefined && !isAccount ? otherScheme.exec(text) : null;
  if (unsupported)
    return refused('unsupported-scheme', `the scheme "${(unsupported[1] ?? unsupported[2] ?? '').slice(0, 20)}"`);

  const rest = text.slice(web?.length ?? (isAccount ? 'acct:'.length : 0)).replace(/^\/\//, '');
  const end = rest.search(/[/?#\\]/);
  const authority = end === -1 ? rest : rest.slice(0, end);
  if (namesTwoHosts(text, authority, rest)) return refused('two-hosts', 'more than one host; write one per line');

  const handle = authority.replace(/^@/, '');
  const atSign = handle.lastIndexOf('@');
  if (web === undefined && atSign !== handle.indexOf('@')) return refused('two-hosts', 'more than one "@host"');
  if (!hostEnd.test(rest.slice(authority.length)))
    return refused(
      'bad-label',
      `"${rest.charAt(authority.length)}" directly after a name, which may hide a part of it`,
    );
  if (MASK.test(handle.slice(0, Math.max(atSign, 0))))
    return refused('bad-label', 'a user name of which a part is hidden');
  return splitPort(handle.slice(atSign + 1), web?.toLowerCase().startsWith('http:') ? 80 : 443);
}

/**
 * Whether a text names more than one host. White space separates hosts anywhere, because a URL cannot contain it; a comma, semicolon or bar
 * only before the path, or directly before `//` or `https://`, because a path may contain them.
 */
function namesTwoHosts(text: string, authority: string, rest: string): boolean {
  const hasManyNames = (written: string) =>
    written.split(separators).filter((piece) => /[^.]\.[^.]/.test(piece)).length > 1;
  return (
    hasManyNames(authority) ||
    (/\s/.test(text) && hasManyNames(text)) ||
    /[,;|](?:https?:)?\/\//i.test(rest) ||
    (/https?:$/i.test(authority) && rest.startsWith('//', authority.length))
  );
}

function splitPort(written: string, defaultPort: number): Authority | Refused {
  if (written.startsWith('[') || isIPv6(written)) return refused('ip-literal', 'an IPv6 address');
  const colon = written.indexOf(':');
  if (colon === -1) return { ok: true, host: written, port: null };
  const host = written.slice(0, colon);
  const digits = written.slice(colon + 1);
  if (digits === '') return { ok: true, host, port: null };
  const port = /^\d{1,9}$/.test(digits) ? Number(digits) : 0;
  if (port < 1 || port > 65535) return refused('bad-port', `the port "${digits.slice(0, 20)}"`);
  return { ok: true, host, port: port === defaultPort || port === 443 ? null : port };
}

/**
 * Suffixes reserved outside the public internet, each with its source. `example.com`, `example.net` and `example.org` are not here:
 * applications treat them like any other name (RFC 6761 section 6.5).
 */
export const reservedSuffixes = [
  { suffix: 'test', source: 'RFC 6761 section 6.2' },
  { suffix: 'localhost', source: 'RFC 6761 section 6.3' },
  { suffix: 'invalid', source: 'RFC 6761 section 6.4' },
  { suffix: 'example', source: 'RFC 6761 section 6.5, RFC 2606 section 2' },
  { suffix: 'local', source: 'RFC 6762 section 3' },
  { suffix: 'onion', source: 'RFC 7686 section 2' },
  { suffix: 'alt', source: 'RFC 9476 section 2' },
  { suffix: 'home.arpa', source: 'RFC 8375 section 3' },
  { suffix: 'arpa', source: 'RFC 3172 section 2' },
  { suffix: 'internal', source: 'ICANN Board resolution 2024.07.29.06' },
] as const;

function reservedSuffixOf(host: string): { readonly suffix: string; readonly source: string } | null {
  return reservedSuffixes.find(({ suffix }) => isUnder(host, suffix)) ?? null;
}

/** Whether the host is the suffix itself or a name below it. */
function isUnder(host: string, suffix: string): boolean {
  return host.endsWith(suffix) && (host.length === suffix.length || host[host.length - suffix.length - 1] === '.');
}

/** The "bad ports" of the Fetch standard (section 2.9, Port blocking). */
const blockedPorts: ReadonlySet<number> = new Set([
  ...[0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109],
  ...[110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530],
  ...[531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190],
  ...[5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
]);

export type DomainParse = { readonly ok: true; readonly domain: Domain } | Refused;

export interface DomainOptions {
  /** Reserved or unlisted suffixes to accept: lower case, A-labels, no leading dot (`test`). */
  readonly allowSuffixes?: readonly string[];
}

const maxTextLength = 4096;

/**
 * Parses one domain as a person or a list wrote it: `Loops.Example.`, `https://loops.example:443/about`,
 * `@user@loops.example`, `bücher.example`. Accepts any string, never throws, and is idempotent.
 * Sources: RFC 1123 section 2.1, UTS 46, RFC 6761, the public suffix list (both parts), the Fetch standard's bad ports.
 */
export function parseDomain(text: string, options: DomainOptions = {}): DomainParse {
  if (text.length > maxTextLength) return refused('too-long', `${text.length} characters`);
  const written = text.trim();
  if (written === '') return refused('empty', 'nothing but white space');

  const authority = parseAuthority(written);
  if (!authority.ok) return authority;
  const normalised = normaliseHost(authority.host);
  if (!normalised.ok) return normalised;

  const { host } = normalised;
  const { port } = authority;
  if (port !== null && blockedPorts.has(port)) {
    return refused('blocked-port', `the port ${port}, which belongs to another protocol: web browsers block it`);
  }
  const refusal = refuseSuffix(host, options.allowSuffixes ?? []);
  if (refusal !== null) return refusal;
  return { ok: true, domain: (port === null ? host : `${host}:${port}`) as Domain };
}

function refuseSuffix(host: string, allowSuffixes: readonly string[]): Refused | null {
  if (allowSuffixes.some((suffix) => isUnder(host, suffix))) return null;
  const reserved = reservedSuffixOf(host);
  if (reserved !== null) return refused('reserved-suffix', `".${reserved.suffix}" is reserved (${reserved.source})`);
  const { isIcann, isPrivate, publicSuffix } = parse(host, {
    allowPrivateDomains: true,
    extractHostname: false,
    detectIp: false,
    validateHostname: false,
  });
  if (isIcann || isPrivate) return null;
  return refused('unknown-suffix', `".${publicSuffix}" is not on the public suffix list`);
}
