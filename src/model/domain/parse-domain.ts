import { parse } from 'tldts';
import { blockedPorts } from './blocked-ports.ts';
import type { Domain } from './domain.ts';
import { normaliseHost } from './normalise-host.ts';
import { parseAuthority } from './parse-authority.ts';
import { type Refused, refused } from './refused.ts';
import { isUnder, reservedSuffixOf } from './reserved-suffixes.ts';

export type DomainParse = { readonly ok: true; readonly domain: Domain } | Refused;

export interface DomainOptions {
  /** Suffixes taken as public though they are reserved or unlisted: lower case, A-labels, no leading dot (`test`). */
  readonly allowSuffixes?: readonly string[];
}

const maxTextLength = 4096;

/**
 * Reads one domain from what a person or a list wrote: `Loops.Example.`, `https://loops.example:443/about`,
 * `@user@loops.example`, `bücher.example`. Takes any string, never throws, and reading its own result changes nothing.
 * Sources: RFC 1123 section 2.1, UTS 46, RFC 6761, the public suffix list (both its parts), the Fetch standard's bad ports.
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
    return refused('blocked-port', `the port ${port}, which is another protocol's: no web browser asks there`);
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
