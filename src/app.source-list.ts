import { unnamedSource } from './domain/unnamed-source.ts';
import type { OptedOutAmong } from './domain/withhold-names.ts';
import type { Settings } from './settings.schema.ts';
import { type CrawledDomains, createCrawledSources } from './sources/crawled.ts';
import { createSource, SourceSettings } from './sources/registry.ts';
import type { Source } from './sources/source.ts';
import type { Store } from './store/store.ts';

/** An entry of `sources` in the settings, and what reads it. */
export interface ConfiguredSource {
  readonly entry: Settings['sources'][number];
  readonly source: Source;
}

interface ListParts {
  /** What the crawl knows. */
  open: () => CrawledDomains;
  optedOutAmong: OptedOutAmong;
  /** From 0 up to 1. */
  random: () => number;
}

/** A server that is asked whom it knows is asked for no more than this, and for no longer. */
const PEERS_LIMITS = { maxBytes: 16_777_216, maxPages: 50, maxMinutes: 2 };

/** The sources of the settings that are switched on, in their order; those that name a host which has opted out, under another name. */
export function sourceList(
  { sources, domains }: Pick<Settings, 'sources' | 'domains'>,
  { open, optedOutAmong, random }: ListParts,
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
    return { entry, source: unnamedSource(source, optedOutAmong) };
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
    page: (after, upTo) => reader.leads(after, upTo),
    [Symbol.dispose]: () => reader[Symbol.dispose](),
  };
}

/** Whether reading it asks other people's servers. */
export function asksOthers({ entry, source }: ConfiguredSource): boolean {
  return source.host !== null || (entry.type === 'crawled' && entry.peers);
}
