import { ROBOTS_TOKEN } from '../http/robots.ts';
import type { NoindexSignal } from '../model/facts/host-facts.ts';
import type { Probe } from '../model/step.ts';
import { asObject, parseJsonObject, property } from './field-reader.ts';
import type { Page } from './page-class.ts';

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
function hidesFromLists(body: Uint8Array): boolean {
  const metadata = asObject(property(parseJsonObject(body), 'metadata'));
  return HIDING.some((name) => YES.has(property(metadata, name)));
}

/** What a visit reads of whether its host asks not to be published. */
export interface NoindexNotes {
  /** An answer of the host itself. */
  answer(probe: Probe, page: Page): void;
  /** @param isRead whether a robots.txt was read now, whole. */
  robots(is: { isClosedToUs: boolean; isRead: boolean }): void;
  /** @param isNodeInfo whether it is a NodeInfo document, and no other that came in its place. */
  nodeInfo(body: Uint8Array, isNodeInfo: boolean): void;
  /** All that tells what the host is was read. */
  all(): void;
  /** Null where nothing came that could tell. */
  noindex(): boolean | null;
  asked(): readonly NoindexSignal[];
  /** The ways that were looked for, and not found. */
  readWithout(): readonly NoindexSignal[];
}

/** A wall answers for what is behind it, and says nothing of that. */
const OF_WALLS: ReadonlySet<number> = new Set([401, 403, 429]);

export function createNoindexNotes(): NoindexNotes {
  const asked = new Set<NoindexSignal>();
  const without = new Set<NoindexSignal>();
  let hasRead = false;
  return {
    answer(probe, page) {
      // A host that is broken says nothing of what it wants.
      if (probe === 'dns' || probe === 'robots' || page.status >= 500) return;
      const isFine = page.status >= 200 && page.status < 300;
      hasRead ||= isFine;
      const isDocument = isFine && parseJsonObject(page.body) !== null;
      if (asksNoindex(page.headers['x-robots-tag'], ROBOTS_TOKEN)) {
        asked.add(isDocument ? `${probe}-header` : `${probe}-error-header`);
        return;
      }
      if (isDocument) without.add(`${probe}-header`);
      if (!OF_WALLS.has(page.status)) without.add(`${probe}-error-header`);
    },
    robots({ isClosedToUs, isRead }) {
      if (isClosedToUs) asked.add('robots');
      else if (isRead) without.add('robots');
    },
    nodeInfo(body, isNodeInfo) {
      if (hidesFromLists(body)) asked.add('nodeinfo');
      else if (isNodeInfo) without.add('nodeinfo');
    },
    all() {
      without.add('earlier');
    },
    noindex: () => asked.size > 0 || (hasRead ? false : null),
    asked: () => [...asked],
    readWithout: () => [...without].filter((way) => !asked.has(way)),
  };
}
