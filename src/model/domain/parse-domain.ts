import { parse } from 'tldts';
import type { Domain } from './domain.ts';
import { normaliseHost, parseAuthority, type Refused, refused } from './host-name.ts';

/**
 * Suffixes reserved outside the public internet, each with its source. `example.com`, `.net` and
 * `.org` are not here: applications treat them like any other name (RFC 6761 section 6.5).
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
