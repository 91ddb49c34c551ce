/**
 * Suffixes that name nothing on the public internet, each with the document that reserves it. `example.com`, `.net` and
 * `.org` are not here: RFC 6761 section 6.5 has applications treat them as any other name.
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

/** The row that reserves the host, or null. */
export function reservedSuffixOf(host: string): { readonly suffix: string; readonly source: string } | null {
  return reservedSuffixes.find(({ suffix }) => isUnder(host, suffix)) ?? null;
}

/** Whether the host is the suffix itself or a name below it. */
export function isUnder(host: string, suffix: string): boolean {
  return host.endsWith(suffix) && (host.length === suffix.length || host[host.length - suffix.length - 1] === '.');
}
