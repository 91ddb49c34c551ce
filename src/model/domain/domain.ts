declare const brand: unique symbol;

/**
 * A host name with an optional port, normalised: `loops.example` or `loops.example:8443`. Lower case, A-labels
 * (RFC 5890), at least two labels, no trailing dot, never an IP literal, never the port 443.
 * Only `parseDomain` and `storedDomain` create one; no other code takes a host as a plain string.
 */
export type Domain = string & { readonly [brand]: 'Domain' };

/** The host name without the port. */
export function hostOf(domain: Domain): string {
  const colon = domain.indexOf(':');
  return colon === -1 ? domain : domain.slice(0, colon);
}

/** The port to connect to: the one the domain names, else 443. */
export function portOf(domain: Domain): number {
  const colon = domain.indexOf(':');
  return colon === -1 ? 443 : Number(domain.slice(colon + 1));
}

/** The web origin (RFC 6454), always https: `https://loops.example`, `https://loops.example:8443`. */
export function originOf(domain: Domain): string {
  return `https://${domain}`;
}

const form = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::[1-9]\d{0,4})?$/;

/**
 * Reads a domain from the database or another place that holds only parsed domains. The suffix is not checked again, since the public
 * suffix list and the settings may have changed.
 * @throws TypeError when the text does not have the form of a Domain: the store is damaged
 */
export function storedDomain(text: string): Domain {
  if (!form.test(text))
    throw new TypeError(`"${text}" is not a stored domain: the store is damaged; restore a backup.`);
  return text as Domain;
}
