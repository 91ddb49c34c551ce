import { asObject, type JsonObject, property } from './json.ts';

const SCHEMA_2_0 = '/schema/2.0';

/** What a discovery document advertises: an address exactly as given, or null where the link has none. */
export interface Advertised {
  href: string | null;
}

/**
 * The first link with an `href` whose `rel` ends with `/schema/2.0` (specification 2.6 and 4.4); null when no link has
 * such a `rel`. `links` is read as a list, as a single link, or as an object of links, as each is met in the wild.
 */
export function parseDiscovery(document: JsonObject): Advertised | null {
  let advertised: Advertised | null = null;
  for (const item of listLinks(property(document, 'links'))) {
    const link = asObject(item);
    const rel = property(link, 'rel');
    const href = property(link, 'href');
    if (typeof rel !== 'string' || !rel.endsWith(SCHEMA_2_0)) continue;
    if (typeof href === 'string') return { href };
    advertised = { href: null };
  }
  return advertised;
}

function listLinks(links: unknown): readonly unknown[] {
  if (Array.isArray(links)) return links;
  const object = asObject(links);
  if (object === null) return [];
  return typeof property(object, 'rel') === 'string' ? [object] : Object.values(object);
}
