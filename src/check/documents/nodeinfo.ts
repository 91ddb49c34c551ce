import { asObject, type JsonObject, property } from '../../identify/json.ts';
import type { Evidence } from '../evidence.ts';
import { isNearMiss } from './config.ts';
import { documentOf } from './document.ts';

/** The NodeInfo discovery document; null where none could be read, for a reason that a rule of its own names. */
export function discoveryOf({ answers }: Evidence): JsonObject | null {
  const reading = documentOf(answers.discovery);
  return reading.kind === 'object' ? reading.document : null;
}

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

/** The NodeInfo 2.0 document, be it whose it may; null where none could be read, for a reason that a rule of its own names. */
export function nodeInfoOf({ answers }: Evidence): JsonObject | null {
  const reading = documentOf(answers.nodeinfo);
  return reading.kind === 'object' ? reading.document : null;
}

/** `software.name` of the NodeInfo document; null when it names none. */
export function nodeInfoNameOf(evidence: Evidence): { name: string; isExact: boolean; isNearMiss: boolean } | null {
  const name = property(asObject(property(nodeInfoOf(evidence), 'software')), 'name');
  if (typeof name !== 'string') return null;
  const { softwareId } = evidence;
  return { name, isExact: name === softwareId, isNearMiss: isNearMiss(name, softwareId) };
}
