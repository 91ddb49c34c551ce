import { basename } from 'node:path';
import type { RunOutcome } from '../model/run-outcome.ts';
import type { EpochMs } from '../model/time.ts';
import type { SourceIdentity } from '../store/sources/source-state.ts';
import type { StoreQueries } from '../store/store-reader.ts';
import type { Snapshot } from './snapshot.ts';

/** What a source contributed. */
export interface SourceResult {
  readonly type: string;
  /** What the settings call it, or the host of its URL or the name of its file: neither paths of this machine nor keys in URLs are published. */
  readonly name: string;
  /** Start of its last run; null when no run is stored. */
  readonly readAt: EpochMs | null;
  /** Outcome of that run; null while it is in progress. */
  readonly outcome: RunOutcome | null;
  /** Domains that the last run added. */
  readonly added: number;
  /** Listed instances that it has ever listed. */
  readonly listed: number;
  /** The part of `listed` that no other source lists. */
  readonly onlyHere: number;
}

/** Every source that was ever read, the one with the most listed instances first. */
export function sourceResults(reader: StoreQueries, { sourceShares }: Snapshot): SourceResult[] {
  return reader
    .sourceStates()
    .map((source) => {
      const { id, type, lastRun } = source;
      const { listed, onlyHere } = sourceShares.get(`${type}-${id}`) ?? { listed: 0, onlyHere: 0 };
      return {
        ...{ type, name: nameOf(source), listed, onlyHere },
        readAt: lastRun?.begunAt ?? null,
        outcome: lastRun?.outcome ?? null,
        added: lastRun?.entered ?? 0,
      };
    })
    .sort((one, other) => other.listed - one.listed || (one.name < other.name ? -1 : 1));
}

function nameOf({ key, type, label }: SourceIdentity): string {
  if (key !== `${type} ${label}`) return key;
  return URL.canParse(label) ? new URL(label).host : basename(label);
}
