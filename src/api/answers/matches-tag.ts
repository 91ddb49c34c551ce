const VARIANT = /-(?:br|gzip)$/;

/**
 * Whether `If-None-Match` names what would be sent (RFC 9110 section 13.1.2): the comparison is weak, and whoever has one encoding of
 * it needs no other.
 */
export function matchesTag(header: string, tag: string): boolean {
  if (header === `"${tag}"`) return true;
  if (header.trim() === '*') return true;
  return header.split(',').some((item) => {
    const [, name] = /^(?:W\/)?"([^"]*)"$/.exec(item.trim()) ?? [];
    return name !== undefined && name.replace(VARIANT, '') === tag;
  });
}
