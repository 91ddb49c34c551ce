import type { Page } from '../http/page-class.ts';
import { ROBOTS_TOKEN } from '../http/robots.ts';
import type { NoindexSignal } from '../model/facts/host-facts.ts';
import type { Probe } from '../model/step.ts';
import { asObject, parseJsonObject, property } from './field-reader.ts';

/** Directives of X-Robots-Tag with a value after a colon, which must not be read as the name of a crawler. */
const WITH_VALUE = /^(?:unavailable_after|max-snippet|max-image-preview|max-video-preview)$/;

/**
 * Whether an `X-Robots-Tag` header asks not to publish its document: `noindex` or `none`, for everyone or for our token. A name before a
 * colon applies to the directives after it, up to the next name or the end of the header line.
 *
 * @param header a list when the header was sent more than once.
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

/** NodeInfo metadata keys by which an operator asks to be left out of public lists (GNU social, Hubzilla). */
const HIDING_KEYS = ['private', 'hide_in_statistics'];
const YES: ReadonlySet<unknown> = new Set([true, 1, '1', 'true']);

/** The names in the metadata of a NodeInfo document that ask to leave its server out of public lists. */
export function hidingKeysIn(body: Uint8Array): readonly string[] {
  const metadata = asObject(property(parseJsonObject(body), 'metadata'));
  return HIDING_KEYS.filter((name) => YES.has(property(metadata, name)));
}

export type NoindexCollector = ReturnType<typeof createNoindexCollector>;

/** Statuses of an access barrier, which shows nothing about the site behind it. */
const BARRIER_STATUSES: ReadonlySet<number> = new Set([401, 403, 429]);

/** Collects during a visit whether its host asks not to be published. */
export function createNoindexCollector() {
  const found = new Set<NoindexSignal>();
  const absent = new Set<NoindexSignal>();
  let hasAnswer = false;
  return {
    /** Reads an answer of the visited host. */
    readAnswer(probe: Probe, page: Page): void {
      // A server error expresses no preference.
      if (probe === 'dns' || probe === 'robots' || page.status >= 500) return;
      const isSuccess = page.status >= 200 && page.status < 300;
      hasAnswer ||= isSuccess;
      const isDocument = isSuccess && parseJsonObject(page.body) !== null;
      if (asksNoindex(page.headers['x-robots-tag'], ROBOTS_TOKEN)) {
        // Any answer other than the document counts as an error response.
        found.add(isDocument ? `${probe}-header` : `${probe}-error-header`);
        return;
      }
      if (isDocument) absent.add(`${probe}-header`);
      if (!BARRIER_STATUSES.has(page.status)) absent.add(`${probe}-error-header`);
    },
    /** @param robots.isRead whether this visit read a complete robots.txt, or robots.txt is not obeyed. */
    readRobots({ isClosedToUs, isRead }: { isClosedToUs: boolean; isRead: boolean }): void {
      if (isClosedToUs) found.add('robots');
      else if (isRead) absent.add('robots');
    },
    /** @param isNodeInfo whether the body is a NodeInfo document. */
    readNodeInfo(body: Uint8Array, isNodeInfo: boolean): void {
      if (hidingKeysIn(body).length > 0) found.add('nodeinfo');
      else if (isNodeInfo) absent.add('nodeinfo');
    },
    /** Marks the identification as complete. */
    complete(): void {
      // A signal stored by a previous visit; a complete identification clears it.
      absent.add('earlier');
    },
    /** Null when no signal was found and no document request got a 2xx answer. */
    noindex: (): boolean | null => found.size > 0 || (hasAnswer ? false : null),
    /** The signals by which the host asks not to be published. */
    foundSignals: () => [...found],
    /** The signals that were checked and not found. */
    absentSignals: () => [...absent].filter((signal) => !found.has(signal)),
  };
}
