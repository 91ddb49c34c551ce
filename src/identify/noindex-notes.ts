import { ROBOTS_TOKEN } from '../http/robots.ts';
import type { NoindexWay } from '../record/noindex-way.ts';
import type { Probe } from '../record/step.ts';
import { parseJsonObject } from './json.ts';
import { asksNoindex, hidesFromLists } from './noindex.ts';
import type { Page } from './page-class.ts';

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
  asked(): readonly NoindexWay[];
  /** The ways that were looked for, and not found. */
  readWithout(): readonly NoindexWay[];
}

/** A wall answers for what is behind it, and says nothing of that. */
const OF_WALLS: ReadonlySet<number> = new Set([401, 403, 429]);

export function createNoindexNotes(): NoindexNotes {
  const asked = new Set<NoindexWay>();
  const without = new Set<NoindexWay>();
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
