import type { RunOutcome } from '../model/run-outcome.ts';
import type { EpochMs } from '../model/time.ts';
import type { StoreReader } from '../store/store-reader.ts';
import type { Snapshot } from './snapshot.ts';

/** What a source contributed. Its URL or path is left out: these may hold secrets. */
export interface SourceResult {
  /** The name under which it is published. */
  readonly name: string;
  /** Its kind, such as `file`. */
  readonly type: string;
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
export function sourceResults(reader: StoreReader, { sourceShares }: Snapshot): SourceResult[] {
  return reader.sources
    .all()
    .map(({ name, type, lastRun }) => {
      const { listed, onlyHere } = sourceShares.get(name) ?? { listed: 0, onlyHere: 0 };
      return {
        ...{ name, type, listed, onlyHere },
        readAt: lastRun?.begunAt ?? null,
        outcome: lastRun?.outcome ?? null,
        added: lastRun?.entered ?? 0,
      };
    })
    .sort((one, other) => other.listed - one.listed || (one.name < other.name ? -1 : 1));
}
