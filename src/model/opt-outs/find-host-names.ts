import { normaliseHost } from '../domain/parse-domain.ts';

export interface HostMatch {
  /** Lower case, A-labels, followed by the port unless that is 443. */
  readonly name: string;
  /** Offsets of the host in the text, without its port. */
  readonly start: number;
  readonly end: number;
}

/** Allowed in labels besides letters, marks and numbers: emoji, joiners, and the punctuation of IDNA 2008 (RFC 5892 appendix A). */
export const SYMBOLS = String.raw`\p{So}\p{Emoji_Modifier}\u200c\u200d\u00b7\u0375\u05f3\u05f4\u30fb`;
const LABEL = String.raw`[\p{L}\p{M}\p{N}${SYMBOLS}_-]+`;
const ESCAPE = String.raw`%[0-9a-f]{2}|\\(?:u[0-9a-f]{4}|[bfnrt"\\/])`;
/** Matches a host name and its port, or an escape sequence (URL or JSON). Escapes are skipped, so that their digits cannot start a name. */
const HOST_OR_ESCAPE = new RegExp(String.raw`${ESCAPE}|(${LABEL}(?:\.${LABEL})*)(?::(\d{1,5})(?!\d))?`, 'giu');
/** Maximum characters of a host name (RFC 1035 section 2.3.4). */
const MAX_NAME_LENGTH = 253;
const TRIMMED_CHARACTERS = '_-';
/** No top-level domain has a hyphen unless it is an A-label: in `loops.example-based`, the name ends before the hyphen. */
const HYPHENATED_END = /(\.(?!xn--)[a-z0-9]+)[-_][^.]*$/i;

/** The host names in a text, but not parts of longer names. Takes linear time. */
export function* findHostNames(text: string): Generator<HostMatch> {
  if (!text.includes('.')) return;
  for (const { 1: candidate, 2: port, index } of text.matchAll(HOST_OR_ESCAPE)) {
    if (candidate === undefined || !candidate.includes('.')) continue;
    let from = 0;
    let to = candidate.length;
    while (from < to && TRIMMED_CHARACTERS.includes(candidate.charAt(from))) from++;
    while (to > from && TRIMMED_CHARACTERS.includes(candidate.charAt(to - 1))) to--;
    if (to - from > MAX_NAME_LENGTH) continue;
    const written = candidate.slice(from, to).replace(HYPHENATED_END, '$1');
    const host = normalise(written);
    if (host === null) continue;
    const end = from + written.length;
    const hasPort = port !== undefined && port !== '443' && end === candidate.length;
    yield { name: hasPort ? `${host}:${Number(port)}` : host, start: index + from, end: index + end };
  }
}

function normalise(written: string): string | null {
  if (/^[a-z0-9._-]*$/i.test(written)) return written.includes('.') ? written.toLowerCase() : null;
  const normalised = normaliseHost(written);
  return normalised.ok ? normalised.host : null;
}
