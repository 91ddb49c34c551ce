import type { Candidate, Domain } from '../../src/model/domain/domain.ts';
import type { EntryCounts, EntryLimits } from '../../src/store/domains/enter-from.ts';
import type { RunEnd, SourceIdentity } from '../../src/store/sources/sources.ts';
import type { Store } from '../../src/store/store.ts';

/** 0 means no limit. */
export const noLimits: EntryLimits = { most: 0, mostPerRegistrable: 0, mostPortsPerHost: 0, softwareId: 'loops' };

export const sampleSource = (name: string, type = 'json'): SourceIdentity => ({
  key: `${type} ${name}`,
  type,
  label: `The list ${name}`,
});

export const candidates = (domains: readonly Domain[], software: string | null = null): Candidate[] =>
  domains.map((domain) => ({ domain, software }));

/** The end of a complete run. */
export const completeRun: RunEnd = {
  outcome: 'complete',
  why: null,
  etag: '"1"',
  lastModified: null,
  requests: 1,
  bytes: 1_000,
  lines: 10,
  refused: 2,
  refusedByReason: { reserved: 2 },
  merged: 1,
};

/** Begins a run of a source whose host has not opted out. */
export function beginRun(store: Store, source: SourceIdentity, at: number): number {
  const run = store.sources.beginRun(source, at);
  if (run === null) throw new Error(`${source.key} has opted out`);
  return run;
}

/** A whole run of a source that lists `listed`. The run is complete by default. */
export function readOnce(
  store: Store,
  name: string,
  listed: readonly Candidate[],
  at: number,
  {
    end = {},
    limits = {},
    type = 'json',
  }: { end?: Partial<RunEnd>; limits?: Partial<EntryLimits>; type?: string } = {},
): EntryCounts {
  const run = beginRun(store, sampleSource(name, type), at);
  const counts = store.sources.enterFrom(run, listed, at, { ...noLimits, ...limits });
  store.sources.endRun(run, { ...completeRun, ...end }, at + 1);
  return counts;
}
