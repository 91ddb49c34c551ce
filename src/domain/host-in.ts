/** Of characters (RFC 1035, section 2.3.4). */
export const LONGEST_NAME = 253;
/** A host name ends with a label that begins with a letter (RFC 3696, section 2), unlike a version. */
const HOST_NAME = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*$/;
/** The dots of other writing, which browsers take for one (UTS 46 section 2.3). */
const IDEOGRAPHIC_DOTS: ReadonlySet<number> = new Set([0x3002, 0xff0e, 0xff61]);

/** The host in an ASCII text in lower case, without the punctuation around it, and where it begins there; null when it is none. */
export function hostIn(text: string): { host: string; offset: number } | null {
  let offset = 0;
  let end = text.length;
  while (offset < end && isOuter(text.charCodeAt(offset))) offset++;
  while (end > offset && isOuter(text.charCodeAt(end - 1))) end--;
  if (end - offset > LONGEST_NAME) return null;
  const host = withoutSuffix(text.slice(offset, end));
  return HOST_NAME.test(host) ? { host, offset } : null;
}

/** No last label on the internet has a hyphen but that of an A-label: `loops.example-based` names a host and says more. */
function withoutSuffix(host: string): string {
  const last = host.lastIndexOf('.') + 1;
  const hyphen = host.startsWith('xn--', last) ? -1 : host.slice(last).search(/[-_]/);
  return hyphen === -1 ? host : host.slice(0, last + hyphen);
}

/** A dot, a hyphen or an underscore, as punctuation leaves them around a name. */
export function isOuter(codePoint: number): boolean {
  return isDot(codePoint) || codePoint === 0x2d || codePoint === 0x5f;
}

export function isDot(codePoint: number): boolean {
  return codePoint === 0x2e || IDEOGRAPHIC_DOTS.has(codePoint);
}

/**
 * The port in what is written behind a host, as a Domain has it: `:8443`, or nothing where there is none, or 443.
 *
 * @param behind seven characters are enough.
 */
export function portIn(behind: string): string {
  // As for dots, a full-width colon is one.
  const digits = /^:(\d{1,5})(?!\d)/.exec(behind.normalize('NFKC'))?.[1];
  const port = digits === undefined ? 443 : Number(digits);
  return port === 443 || port === 0 || port > 65_535 ? '' : `:${port}`;
}
