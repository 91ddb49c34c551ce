import { HOUR_MS } from '../../model/time.ts';
import type { Settings } from '../../settings/schema.ts';
import { type CrawledDomains, createCrawledSources } from '../../sources/kinds/crawled.ts';
import { createSource, SourceSettings } from '../../sources/kinds/registry.ts';
import type { Source } from '../../sources/source.ts';
import type { SourceRun } from '../../store/sources/known-sources.ts';
import type { Store } from '../../store/store.ts';

/** An entry of `sources` in the settings, and the source made from it. */
export interface ConfiguredSource {
  readonly entry: Settings['sources'][number];
  readonly source: Source;
}

interface ListOptions {
  /** Opens the crawled domains. */
  open: () => CrawledDomains;
  /** In [0, 1). */
  random: () => number;
}

/** Limits of a run that reads the peer list of one server. */
const PEERS_LIMITS = { maxBytes: 16_777_216, maxPages: 50, maxMinutes: 2 };

/** The enabled sources, in the order of the settings. */
export function listConfiguredSources(
  { sources, domains }: Pick<Settings, 'sources' | 'domains'>,
  { open, random }: ListOptions,
): ConfiguredSource[] {
  const { allowSuffixes } = domains;
  const enabledEntries = sources.filter(({ enabled }) => enabled);
  const externalSources = enabledEntries.flatMap((entry) =>
    entry.type === 'crawled' ? [] : [createSource(entry, { allowSuffixes })],
  );
  const excludedHosts = new Set(externalSources.flatMap(({ host }) => host ?? []));
  const peersOf: Parameters<typeof createCrawledSources>[1]['peersOf'] = (type, domain) => {
    const entry = SourceSettings.parse({ type, url: `https://${domain}`, ...PEERS_LIMITS });
    if (entry.type === 'crawled') throw new TypeError('a peer list is not a source of type crawled');
    return createSource(entry, { allowSuffixes });
  };
  return enabledEntries.flatMap((entry): ConfiguredSource[] => {
    if (entry.type !== 'crawled') return [{ entry, source: createSource(entry, { allowSuffixes }) }];
    return createCrawledSources(entry, { open, peersOf, excludedHosts, random }).map((source) => ({
      entry,
      source,
    }));
  });
}

/** Opens the domains of the database, up to the last one that is known now. */
export function openCrawledDomains(store: Pick<Store, 'reader'>): CrawledDomains {
  const reader = store.reader();
  return {
    lastId: reader.domains.lastId(),
    page: (after, upTo) => reader.domains.origins(after, upTo),
    [Symbol.dispose]: () => reader[Symbol.dispose](),
  };
}

/** Whether a run sends requests to other people's servers. */
export function isRemote({ entry, source }: ConfiguredSource): boolean {
  return source.host !== null || (entry.type === 'crawled' && entry.peers);
}

/** Further failures in a row do not make the wait longer. */
const MAX_COUNTED_FAILURES = 10;

/** Upper bound for a source's Retry-After, so that a mistake there does not last for ever. */
export const MAX_RETRY_AFTER_MS = 30 * 24 * HOUR_MS;

/**
 * When a source is due: an interval after its last run. After a failed or partial run, the wait is an hour; it doubles with each such run in
 * a row, up to the interval. Never before `notBefore`, the end of a Retry-After. Now, if it was never read, or its last run is in the future
 * because the clock was wrong.
 *
 * @param runs newest first; read only until the first success, or after {@link MAX_COUNTED_FAILURES} failures.
 * @param earlyMs subtracted from the interval.
 */
export function sourceDueAt(
  { runs, notBefore }: { runs: Iterable<SourceRun>; notBefore: number | null },
  everyHours: number,
  now: number,
  earlyMs = 0,
): number {
  const everyMs = everyHours * HOUR_MS - earlyMs;
  let lastAt: number | null = null;
  let failures = 0;
  for (const { begunAt, outcome } of runs) {
    lastAt ??= begunAt;
    // A run in progress belongs to another process and counts as a failure until it ends.
    if (outcome === 'complete' || outcome === 'unchanged' || failures === MAX_COUNTED_FAILURES) break;
    failures += 1;
  }
  if (lastAt === null || lastAt > now) return now;
  const waitMs = failures === 0 ? everyMs : Math.min(everyMs, HOUR_MS * 2 ** (failures - 1));
  return Math.max(lastAt + waitMs, notBefore ?? 0);
}
