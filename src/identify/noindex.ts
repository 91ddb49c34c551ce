/** Directives of X-Robots-Tag that have a value after a colon, and so look like the name of a crawler. */
const WITH_VALUE = /^(?:unavailable_after|max-snippet|max-image-preview|max-video-preview)$/;

/**
 * Whether an `X-Robots-Tag` header asks us not to publish what came with it: `noindex` or `none`, said to everyone or to our
 * token. A name before a colon holds for the directives after it, up to the next name.
 */
export function asksNoindex(header: string | string[] | undefined, token: string): boolean {
  const text = Array.isArray(header) ? header.join(', ') : (header ?? '');
  let isForUs = true;
  for (const part of text.toLowerCase().split(',')) {
    const [, name, rest = ''] = /^\s*([\w-]+)\s*:(.*)$/s.exec(part) ?? [];
    const isNamed = name !== undefined && !WITH_VALUE.test(name);
    if (isNamed) isForUs = name === token.toLowerCase();
    const directive = (isNamed ? rest : part).trim();
    if (isForUs && (directive === 'noindex' || directive === 'none')) return true;
  }
  return false;
}
