import { asObject, type JsonObject, property } from './json.ts';

const SCHEMA_2_0 = '/schema/2.0';

/**
 * The `href` of the first link whose `rel` ends with `/schema/2.0`, exactly as given (specification 2.6 and 4.4); null
 * when there is none. `links` is read as a list, as a single link, or as an object of links, as each is met in the wild.
 */
export function parseDiscovery(document: JsonObject): string | null {
  for (const item of listLinks(property(document, 'links'))) {
    const link = asObject(item);
    const rel = property(link, 'rel');
    const href = property(link, 'href');
    if (typeof rel === 'string' && rel.endsWith(SCHEMA_2_0) && typeof href === 'string') return href;
  }
  return null;
}

function listLinks(links: unknown): readonly unknown[] {
  if (Array.isArray(links)) return links;
  const object = asObject(links);
  if (object === null) return [];
  return typeof property(object, 'rel') === 'string' ? [object] : Object.values(object);
}
