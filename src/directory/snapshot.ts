import semver, { type SemVer } from 'semver';
import { byKey, COUNTS } from '../model/facts/fact-leaves.ts';
import { areCountsImplausible } from '../model/facts/usage-flags.ts';
import type { Clock, EpochMs } from '../model/time.ts';
import type { NewestRelease } from '../store/crawler.ts';
import type { StoreReader } from '../store/store-reader.ts';
import { jsonLine } from './formatting.ts';
import { instanceEntryOf } from './instance-entry-of.ts';
import type { Counts } from './measures.ts';
import { populationOf } from './population/population-of.ts';
import { SourceOverlap, type SourceShare } from './population/source-overlap.ts';
import type { InstanceEntry } from './schema/instance-entry.ts';
import type { InstanceCounts } from './schema/instances-file.ts';
import type { Population } from './schema/population.ts';
import { createOrders, type Orders } from './sort-instances.ts';
import { InstanceTally } from './tallies.ts';
import { createYielder } from './yield-regularly.ts';

/** A listed instance as published, with values to select and sort it by. */
export interface ListedInstance {
  readonly entry: InstanceEntry;
  /** The entry as one line of JSON. */
  readonly json: string;
  /** Null when unknown or not a semantic version. */
  readonly version: SemVer | null;
  /** The counts to sort and filter by: those of the entry, or unknown if they are implausible. */
  readonly counts: Counts;
  /** Domain and name, by {@link toSearchText}. */
  readonly searchText: string;
}

/** The directory at one time. */
export interface Snapshot {
  /** Reference time for ages and flags. */
  readonly at: EpochMs;
  /** Start of the last stored visit; null when none is stored. */
  readonly lastVisitAt: EpochMs | null;
  /** Sorted by domain. */
  readonly instances: readonly ListedInstance[];
  readonly byDomain: ReadonlyMap<string, ListedInstance>;
  readonly counts: InstanceCounts;
  readonly newest: NewestRelease | null;
  readonly population: Population;
  /** By the published name of the source. */
  readonly sourceShares: ReadonlyMap<string, SourceShare>;
  readonly orders: Orders<ListedInstance>;
  /** Number of opt-outs: what was made from a snapshot with another number may name a host that has opted out since. */
  readonly optOuts: number;
}

export interface SnapshotOptions {
  /** A reader within one read transaction. */
  reader: StoreReader;
  at: EpochMs;
  /** Unchanged instances of the previous directory snapshot are reused, to save memory. */
  previous: Snapshot | null;
  clock: Clock;
  signal: AbortSignal;
}

/** Reads the directory without blocking the event loop. */
export async function readSnapshot({ reader, at, previous, clock, signal }: SnapshotOptions): Promise<Snapshot> {
  const pause = createYielder(clock);
  const newest = reader.crawler.newestRelease();
  const instances: ListedInstance[] = [];
  const byDomain = new Map<string, ListedInstance>();
  const tally = new InstanceTally();
  for (const record of reader.instances.listed(at)) {
    const entry = instanceEntryOf(record);
    tally.add(entry);
    const json = jsonLine(entry);
    const previousInstance = previous?.byDomain.get(entry.domain);
    const instance =
      previousInstance?.json === json
        ? previousInstance
        : {
            entry,
            json,
            version: versionOf(entry),
            counts: plausibleCountsOf(entry),
            searchText: toSearchText(`${entry.domain}\n${entry.name ?? ''}`),
          };
    instances.push(instance);
    byDomain.set(entry.domain, instance);
    const paused = pause();
    if (paused === null) continue;
    await paused;
    signal.throwIfAborted();
  }
  const overlap = new SourceOverlap();
  for (const { sources } of reader.sources.ofInstances()) {
    overlap.add(sources);
    const paused = pause();
    if (paused === null) continue;
    await paused;
    signal.throwIfAborted();
  }
  return {
    ...{ at, lastVisitAt: reader.visits.last()?.at ?? null, instances, byDomain, counts: tally.counts, newest },
    population: populationOf(overlap),
    sourceShares: overlap.shares(),
    orders: createOrders(instances),
    optOuts: reader.optOuts.size,
  };
}

/** A text without the differences that a search ignores: upper case, and compatibility forms such as full-width letters. */
export function toSearchText(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

const UNKNOWN_COUNTS: Counts = byKey(COUNTS, () => null);

function plausibleCountsOf({ usage, flags }: InstanceEntry): Counts {
  return areCountsImplausible(usage, flags) ? UNKNOWN_COUNTS : usage;
}

function versionOf({ version }: InstanceEntry): SemVer | null {
  return version === null ? null : semver.parse(version, { loose: true });
}
