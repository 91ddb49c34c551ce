declare const brand: unique symbol;

/**
 * A host name with an optional port, normalised: `loops.example` or `loops.example:8443`. Lower case, A-labels
 * (RFC 5890), at least two labels, no trailing dot, never an IP literal, never the port 443.
 * Only `parseDomain` and `storedDomain` create one. The exception is a local server, which only the command `check` accepts:
 * see `parseLocalServer`.
 */
export type Domain = string & { readonly [brand]: 'Domain' };

/** The host name without the port. */
export function hostOf(domain: Domain): string {
  const colon = domain.lastIndexOf(':');
  return colon === -1 || domain.endsWith(']') ? domain : domain.slice(0, colon);
}

/** The port to connect to: the one the domain names, else 443, or 80 for a local server. */
export function portOf(domain: Domain): number {
  const host = hostOf(domain);
  if (host !== domain) return Number(domain.slice(host.length + 1));
  return isLocal(domain) ? 80 : 443;
}

/** The web origin (RFC 6454): `https://loops.example:8443`, and for a local server `http://127.0.0.1:8089`. */
export function originOf(domain: Domain): string {
  return isLocal(domain) ? `http://${domain}` : `https://${domain}`;
}

const LOCAL_PATTERN = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d+)?$/;

/** Whether a domain is a local server: one on this machine, reached over plain http at a loopback address. */
export function isLocal(domain: Domain): boolean {
  return LOCAL_PATTERN.test(domain);
}

/** Labels of 1 to 63 characters without a hyphen at an end. The last label is not a number, because such a name is an IPv4 address. */
const DOMAIN_PATTERN =
  /^(?=[^:]{1,253}(?::|$))(?:(?!-)[a-z0-9-]{1,63}(?<!-)\.)+(?!-|\d+(?:$|:)|0x)[a-z0-9-]{1,63}(?<!-)(?::[1-9]\d{0,4})?$/;

/** Whether a text has the form of a Domain. Its suffix is not checked. */
export function isDomain(text: string): text is Domain {
  return DOMAIN_PATTERN.test(text);
}

/**
 * Reads a domain from the database or another place that holds only parsed domains. The suffix is not checked again, since the public
 * suffix list and the settings may have changed.
 * @throws TypeError when the text does not have the form of a Domain: the store is damaged
 */
export function storedDomain(text: string): Domain {
  if (!isDomain(text)) throw new TypeError(`"${text}" is not a valid domain: the store is damaged; restore a backup.`);
  return text;
}

/** A domain listed by a source. */
export interface Candidate {
  readonly domain: Domain;
  /** The software reported by the source; null when it reports none. */
  readonly software: string | null;
}
