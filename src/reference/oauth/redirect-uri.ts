import { takenSchemes } from './taken-schemes.ts';

/** The redirect URI of clients that nothing can be redirected to: the code is shown to the user, who copies it. */
export const outOfBand = 'urn:ietf:wg:oauth:2.0:oob';

export const longestRedirectUri = 2_000;

// The characters of RFC 3986: nothing that a header, a log or a page would have to escape.
const uriCharacters = /^(?:[\w\-.~!$&'()*+,;=:@/?#[\]]|%[\da-f]{2})+$/i;

/**
 * Why a redirect URI may not be registered, as the end of a sentence about it; undefined when it may. What is registered is
 * compared as text, so that there is nothing to normalise and nothing to be fooled by (RFC 9700 section 2.1).
 */
export function redirectUriFault(uri: string): string | undefined {
  if (uri === outOfBand) return undefined;
  if (uri.length > longestRedirectUri) return `must not be longer than ${longestRedirectUri} characters`;
  if (!uriCharacters.test(uri)) return 'must be an absolute URI of printable ASCII characters';
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(uri)?.[1]?.toLowerCase();
  if (scheme === undefined || !URL.canParse(uri)) return 'must be an absolute URI';
  if (takenSchemes.has(scheme)) return `must not have the scheme ${scheme}, which a browser or a system acts on itself`;
  if (uri.includes('#')) return 'must not have a fragment';
  const isWeb = scheme === 'http' || scheme === 'https';
  // A URL parser forgives `https:/host` and `https:host`; no other reader has to.
  if (isWeb && !/^https?:\/\/[^/?]/i.test(uri)) return 'must name a host';
  // An app's scheme should be a domain name turned round (RFC 8252 section 7.1). One that is not must at least look like an address.
  if (!isWeb && !scheme.includes('.') && !/^[^:]+:\/\//.test(uri)) return `must have // after the scheme ${scheme}`;
  if (/^[^/?]*\/\/[^/?]*@/.test(uri)) return 'must not have a user name';
  return undefined;
}
