import type { StoreReader } from '../store/store-reader.ts';
import type { DomainCounts } from './schema/domain-line.ts';
import { createSlices } from './slices.ts';
import { DomainTally } from './tallies.ts';

/** The known domains, counted. */
export interface Survey {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly counts: DomainCounts;
  /** How many have opted out; they are in no other count. */
  readonly optOuts: number;
  /** Published domains by what they run, as last known; domains of which that was never known are in none. */
  readonly software: ReadonlyMap<string, number>;
  /** Domains that run what is in `software` no longer, because there were too many names. */
  readonly unnamed: number;
}

export interface SurveyOptions {
  reader: Pick<StoreReader, 'domainGroups' | 'lastDomainId' | 'optOuts'>;
  at: number;
  /** Monotonic, in milliseconds. */
  clock: () => number;
  signal: AbortSignal;
}

/** Domains counted in one statement: a few milliseconds. */
const STEP = 5_000;
/** Who answers for a million names can make up as many names of software. */
const MOST_NAMES = 20_000;

/** Counts all domains, a few thousand at a time, and lets others have the event loop meanwhile. */
export async function takeSurvey({ reader, at, clock, signal }: SurveyOptions): Promise<Survey> {
  const pause = createSlices(clock);
  const tally = new DomainTally();
  const software = new Map<string, number>();
  let unnamed = 0;
  const last = reader.lastDomainId();
  for (let id = 0; id < last; id += STEP) {
    for (const { state, verdict, software: name, count } of reader.domainGroups(id, id + STEP)) {
      tally.add({ state, verdict }, count);
      if (name === null) continue;
      if (software.size >= MOST_NAMES && !software.has(name)) unnamed += count;
      else software.set(name, (software.get(name) ?? 0) + count);
    }
    const paused = pause();
    if (paused !== null) await paused;
    signal.throwIfAborted();
  }
  return { at, counts: tally.counts, optOuts: reader.optOuts(), software, unnamed };
}
