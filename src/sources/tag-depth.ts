const voidElements = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/i;

/**
 * How deep the tags of a page nest at most, by counting: a few more than a parser makes of it, where tags are left open. A selector takes
 * time with the square of it.
 */
export function tagDepth(html: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [, slash, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9-]{0,40})/gi)) {
    if (slash === '/') depth = Math.max(0, depth - 1);
    else if (!voidElements.test(name)) depth += 1;
    if (depth > deepest) deepest = depth;
  }
  return deepest;
}
