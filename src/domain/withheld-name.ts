/**
 * What stands in a text in the place of the name of a host that has opted out. A name below `.invalid` leads nowhere for good (RFC 6761
 * section 6.4), and it is a valid host name, so that a URL with it is still one.
 */
export const WITHHELD_NAME = 'opted-out.invalid';

/** Whether a host name, without a port, stands for one that is withheld. */
export function isWithheldName(host: string): boolean {
  return host === WITHHELD_NAME;
}
