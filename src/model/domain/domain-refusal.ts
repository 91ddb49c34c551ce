/**
 * Why a text is not a domain, as a closed vocabulary: each word with its meaning. The words appear in import reports,
 * so they are never renamed.
 */
export const domainRefusals = {
  empty: 'Nothing is left once white space, scheme, user and path are taken off.',
  'ip-literal': 'An IP address in any notation: dotted, short, decimal, octal, hexadecimal, IPv6.',
  'single-label': 'A name without a dot, such as `localhost`.',
  'bad-label':
    'A label that no host can have: empty, over 63 characters, a hyphen at an end, a character other than letters, digits and hyphens once mapped to ASCII (RFC 1123 section 2.1, UTS 46), or invalid Punycode (RFC 3492).',
  'too-long': 'A host name of over 253 characters (RFC 1035 section 2.3.4), or a text of over 4,096.',
  'reserved-suffix': 'A name set aside from the public DNS, such as `.test` or `.onion`.',
  'unknown-suffix': 'A name under no suffix of the public suffix list.',
  'two-hosts': 'More than one host in one text.',
  'bad-port': 'A port that is not a number from 1 to 65535.',
  'blocked-port':
    'A port of another protocol, such as 25, that browsers send no request to (Fetch standard, Port blocking).',
  'unsupported-scheme': 'A URL of a scheme other than http, https and acct.',
} as const;

export type DomainRefusal = keyof typeof domainRefusals;
