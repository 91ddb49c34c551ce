import { asObject, type JsonObject, property } from '../../identify/json.ts';

export interface Link {
  rel: unknown;
  href: unknown;
}

/** The links of a discovery document, as far as they are objects. `links` is read as a list, a single link, or an object of links. */
export function linksOf(document: JsonObject): Link[] {
  const links = property(document, 'links');
  const object = asObject(links);
  const single = object !== null && typeof property(object, 'rel') === 'string';
  const items: readonly unknown[] = Array.isArray(links) ? links : single ? [object] : Object.values(object ?? {});
  return items.flatMap((item) => {
    const link = asObject(item);
    return link === null ? [] : [{ rel: property(link, 'rel'), href: property(link, 'href') }];
  });
}

const SCHEMA_2_0 = '/schema/2.0';

/** The entries that specification 4.4 selects from: those whose `rel` ends with `/schema/2.0`. */
export function linksOf20(document: JsonObject): Link[] {
  return linksOf(document).filter(({ rel }) => typeof rel === 'string' && rel.endsWith(SCHEMA_2_0));
}

/** The one that a crawl follows: the first with an address, or, where none has, the first. */
export function linkOf20(document: JsonObject): Link | null {
  const links = linksOf20(document);
  return links.find(({ href }) => typeof href === 'string') ?? links[0] ?? null;
}
