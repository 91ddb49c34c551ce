import { normaliseHost } from './normalise-host.ts';

/** A host that a text names. */
export interface HostInText {
  /** In lower case and A-labels, with the port behind it unless that is 443. */
  readonly name: string;
  /** Where the host stands in the text, without its port. */
  readonly start: number;
  readonly end: number;
}

/** Labels with dots between them, and a port; an escape of a URL or of JSON before it is no part of it. */
const RUN =
  /%[0-9a-f]{2}|\\(?:u[0-9a-f]{4}|[bfnrt"\\/])|([\p{L}\p{M}\p{N}_-]+(?:\.[\p{L}\p{M}\p{N}_-]+)*)(?::(\d{1,5})(?!\d))?/giu;
/** Of characters (RFC 1035 section 2.3.4). */
const LONGEST_NAME = 253;
const OUTER = '_-';
/** No last label has a hyphen but that of an A-label: `loops.example-based` names a host and says more. */
const SUFFIX = /(\.(?!xn--)[a-z0-9]+)[-_][^.]*$/i;

/** The host names in a text, whole as they stand there: part of a longer name is none. Takes time in proportion to the length of the text. */
export function* hostsIn(text: string): Generator<HostInText> {
  if (!text.includes('.')) return;
  for (const { 1: run, 2: port, index } of text.matchAll(RUN)) {
    if (run === undefined || !run.includes('.')) continue;
    let from = 0;
    let to = run.length;
    while (from < to && OUTER.includes(run.charAt(from))) from++;
    while (to > from && OUTER.includes(run.charAt(to - 1))) to--;
    if (to - from > LONGEST_NAME) continue;
    const written = run.slice(from, to).replace(SUFFIX, '$1');
    const host = hostOf(written);
    if (host === null) continue;
    const end = from + written.length;
    const hasPort = port !== undefined && port !== '443' && end === run.length;
    yield { name: hasPort ? `${host}:${Number(port)}` : host, start: index + from, end: index + end };
  }
}

function hostOf(written: string): string | null {
  if (/^[a-z0-9._-]*$/i.test(written)) return written.includes('.') ? written.toLowerCase() : null;
  const normalised = normaliseHost(written);
  return normalised.ok ? normalised.host : null;
}
