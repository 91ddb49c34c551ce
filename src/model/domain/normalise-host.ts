import { domainToASCII, domainToUnicode } from 'node:url';
import { type Refused, refused } from './refused.ts';

const plain = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/;
const forbiddenAscii = /[^\u0080-\u{10ffff}a-zA-Z0-9.-]/u;

/**
 * Lower case, A-labels (UTS 46, non-transitional, as browsers map), no trailing dot; a host that is not a sequence of at
 * least two well-formed labels is refused.
 */
export function normaliseHost(written: string): { readonly ok: true; readonly host: string } | Refused {
  const forbidden = forbiddenAscii.exec(written)?.[0];
  if (forbidden !== undefined) return refused('bad-label', `${nameOf(forbidden)}, which no host name can have`);
  const host = mapToAscii(written);
  if (host === null) return refused('bad-label', 'a character that no host name can have');
  if (host === '') return refused('empty', 'no host name');
  if (host.length > 253) return refused('too-long', `${host.length} characters; a host name has at most 253`);
  const labels = host.split('.');
  // A host that ends in a number is an IPv4 address to every URL parser (WHATWG URL, "ends in a number").
  if (/^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? '')) return refused('ip-literal', 'an IPv4 address');
  for (const label of labels) {
    const fault = faultOf(label);
    if (fault !== null) return refused('bad-label', fault);
  }
  if (labels.length === 1) return refused('single-label', 'a name without a dot');
  return { ok: true, host };
}

/** Null when UTS 46 disallows a character. ASCII ones are judged before, as Node decodes or cuts off at some of them. */
function mapToAscii(written: string): string | null {
  const lower = written.toLowerCase();
  if (plain.test(lower)) return lower;
  const mapped = /[^\0-\u007f]/.test(written) ? domainToASCII(written) : lower;
  if (mapped === '' && written !== '') return null;
  return mapped.endsWith('.') ? mapped.slice(0, -1) : mapped;
}

function nameOf(character: string): string {
  if (/\s/.test(character)) return 'white space';
  return character > ' ' && character < '\u007f' ? `"${character}"` : 'a control character';
}

function faultOf(label: string): string | null {
  if (label === '') return 'an empty label';
  if (label.length > 63) return `a label of ${label.length} characters; one has at most 63`;
  if (label.startsWith('-') || label.endsWith('-')) return `a hyphen at an end of "${label}"`;
  if (!/^[a-z0-9-]+$/.test(label)) return `a character that no host name can have, in "${label}"`;
  if (label.startsWith('xn--') && !isPunycode(label)) return `invalid Punycode in "${label}"`;
  return null;
}

/**
 * Node passes what it cannot decode through unchanged, so only a label that decodes, and encodes back, is Punycode.
 * What it decodes to keeps the rule on hyphens too (RFC 5891 section 4.2.3.1).
 */
function isPunycode(label: string): boolean {
  const decoded = domainToUnicode(label);
  return decoded !== label && domainToASCII(decoded) === label && !/^-|-$/.test(decoded);
}
