import { asObject, parseJsonObject, property } from './json.ts';

/** Directives of X-Robots-Tag that have a value after a colon, and so look like the name of a crawler. */
const WITH_VALUE = /^(?:unavailable_after|max-snippet|max-image-preview|max-video-preview)$/;

/**
 * Whether an `X-Robots-Tag` header asks us not to publish what came with it: `noindex` or `none`, said to everyone or to our
 * token. A name before a colon holds for the directives after it, up to the next name or the end of the header's line.
 *
 * @param header its lines, where it was sent more than once.
 */
export function asksNoindex(header: string | readonly string[] | undefined, token: string): boolean {
  if (header === undefined) return false;
  return typeof header === 'string' ? lineAsks(header, token) : header.some((line) => lineAsks(line, token));
}

function lineAsks(line: string, token: string): boolean {
  let isForUs = true;
  for (const part of line.toLowerCase().split(',')) {
    const [, name, rest = ''] = /^\s*([\w-]+)\s*:(.*)$/s.exec(part) ?? [];
    const isNamed = name !== undefined && !WITH_VALUE.test(name);
    if (isNamed) isForUs = name === token.toLowerCase();
    const directive = (isNamed ? rest : part).trim();
    if (isForUs && (directive === 'noindex' || directive === 'none')) return true;
  }
  return false;
}

/** Names under which software lets its operator ask, in the metadata of NodeInfo, to be left out of public lists (GNU social, Hubzilla). */
const HIDING = ['private', 'hide_in_statistics'];
const YES: ReadonlySet<unknown> = new Set([true, 1, '1', 'true']);

/** Whether a NodeInfo document asks that its server be left out of public lists. */
export function hidesFromLists(body: Uint8Array): boolean {
  const metadata = asObject(property(parseJsonObject(body), 'metadata'));
  return HIDING.some((name) => YES.has(property(metadata, name)));
}
