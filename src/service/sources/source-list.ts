import type { OptOutSet } from '../../model/opt-outs/opt-out-names.ts';
import { anonymiseSource } from '../../model/opt-outs/redact-names.ts';
import type { Settings } from '../../settings/schema.ts';
import { type CrawledDomains, createCrawledSources } from '../../sources/kinds/crawled.ts';
import { createSource, SourceSettings } from '../../sources/kinds/registry.ts';
import type { Source } from '../../sources/source.ts';
import type { SourceRun } from '../../store/sources/source-state.ts';
import type { Store } from '../../store/store.ts';

/** An entry of `sources` in the settings, and what reads it. */
export interface ConfiguredSource {
  readonly entry: Settings['sources'][number];
  readonly source: Source;
}

interface ListParts {
  /** What the crawl knows. */
  open: () => CrawledDomains;
  optedOut: OptOutSet;
  /** From 0 up to 1. */
  random: () => number;
}

/** A server that is asked whom it knows is asked for no more than this, and for no longer. */
const PEERS_LIMITS = { maxBytes: 16_777_216, maxPages: 50, maxMinutes: 2 };

/** The sources of the settings that are switched on, in their order; those that name a host which has opted out, under another name. */
export function sourceList(
  { sources, domains }: Pick<Settings, 'sources' | 'domains'>,
  { open, optedOut, random }: ListParts,
): ConfiguredSource[] {
  const { allowSuffixes } = domains;
  const on = sources.filter(({ enabled }) => enabled);
  const outside = on.flatMap((entry) => (entry.type === 'crawled' ? [] : [createSource(entry, { allowSuffixes })]));
  const except = new Set(outside.flatMap(({ host }) => host ?? []));
  const peersOf: Parameters<typeof createCrawledSources>[1]['peersOf'] = (type, domain) => {
    const entry = SourceSettings.parse({ type, url: `https://${domain}`, ...PEERS_LIMITS });
    if (entry.type === 'crawled') throw new TypeError('a server cannot be asked for what was crawled');
    return createSource(entry, { allowSuffixes });
  };
  const toldAs = (entry: ConfiguredSource['entry'], source: Source): ConfiguredSource => {
    return { entry, source: anonymiseSource(source, optedOut) };
  };
  return on.flatMap((entry): ConfiguredSource[] => {
    if (entry.type !== 'crawled') return [toldAs(entry, createSource(entry, { allowSuffixes }))];
    return createCrawledSources(entry, { open, peersOf, except, random }).map((source) => toldAs(entry, source));
  });
}

/** What the crawl knows, as it is now. */
export function openCrawled(store: Pick<Store, 'reader'>): CrawledDomains {
  const reader = store.reader();
  return {
    lastId: reader.lastDomainId(),
    page: (after, upTo) => reader.domainOrigins(after, upTo),
    [Symbol.dispose]: () => reader[Symbol.dispose](),
  };
}

/** Whether reading it asks other people's servers. */
export function asksOthers({ entry, source }: ConfiguredSource): boolean {
  return source.host !== null || (entry.type === 'crawled' && entry.peers);
}

const HOUR_MS = 3_600_000;
/** After this many failures the wait no longer doubles. */
const MOST_DOUBLINGS = 10;

/** The longest Retry-After of a source that is obeyed: a mistake of theirs must not last for ever. */
export const LONGEST_WAIT_MS = 30 * 24 * HOUR_MS;

/**
 * When a source is due: an interval after its last run, or, after runs that failed, in an hour, which doubles with each up to the interval;
 * not before the time until which it asked to be left alone. Now, if the clock was ahead at the last run.
 *
 * @param runs newest first; no more of them are read than failed in a row.
 * @param earlyMs taken off the interval.
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
    // A run under way belongs to another process.
    if (outcome === 'complete' || outcome === 'unchanged' || failures === MOST_DOUBLINGS) break;
    failures += 1;
  }
  if (lastAt === null || lastAt > now) return now;
  const waitMs = failures === 0 ? everyMs : Math.min(everyMs, HOUR_MS * 2 ** (failures - 1));
  return Math.max(lastAt + waitMs, notBefore ?? 0);
}
