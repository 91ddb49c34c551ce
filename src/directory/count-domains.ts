import type { Reason } from '../model/reason.ts';
import type { Clock, EpochMs } from '../model/time.ts';
import type { Verdict } from '../model/verdict.ts';
import type { StoreReader } from '../store/store-reader.ts';
import type { DomainCounts } from './schema/domain-line.ts';
import { DomainTally } from './tallies.ts';
import { createYielder } from './yield-regularly.ts';

/** Counts of the known domains that may be published. */
export interface DomainTotals {
  readonly at: EpochMs;
  readonly counts: DomainCounts;
  /** Number of opt-outs; they are in no other count. */
  readonly optOutCount: number;
  /** Domains whose last visit did not identify them, by the reason of that visit. */
  readonly reasons: ReadonlyMap<Reason, number>;
  /** Domains by their last known software; domains without known software are not counted. */
  readonly software: ReadonlyMap<string, number>;
}

export interface CountOptions {
  reader: StoreReader;
  at: number;
  clock: Clock;
  signal: AbortSignal;
}

/** Ids of domains per query, which takes a few milliseconds. */
const STEP = 5_000;

/** Counts all domains, a few thousand at a time, without blocking the event loop. */
export async function countDomains({ reader, at, clock, signal }: CountOptions): Promise<DomainTotals> {
  const pause = createYielder(clock);
  const tally = new DomainTally();
  const reasons = new Map<Reason, number>();
  const software = new Map<string, number>();
  const last = reader.domains.lastId();
  for (let id = 0; id < last; id += STEP) {
    for (const { state, verdict, reason, software: name, count } of reader.domains.groups(id, id + STEP)) {
      tally.add({ state, verdict }, count);
      if (reason !== null && failedToIdentify(verdict)) reasons.set(reason, (reasons.get(reason) ?? 0) + count);
      if (name !== null) software.set(name, (software.get(name) ?? 0) + count);
    }
    const paused = pause();
    if (paused !== null) await paused;
    signal.throwIfAborted();
  }
  return { at, counts: tally.counts, optOutCount: reader.optOuts.count(), reasons, software };
}

function failedToIdentify(verdict: Verdict | null): boolean {
  return verdict === 'unidentified' || verdict === 'unreachable' || verdict === 'declined';
}

const MAX_NAMES = 100;

/** The most common software of the known domains, and the number of domains with other and with unknown software. */
export function softwareOf({ counts, software: countByName }: DomainTotals) {
  const ranked = [...countByName]
    .map(([name, domains]) => ({ name, domains }))
    .sort((one, other) => other.domains - one.domains || (one.name < other.name ? -1 : 1));
  const sum = (rows: readonly { domains: number }[]) => rows.reduce((total, { domains }) => total + domains, 0);
  return {
    software: ranked.slice(0, MAX_NAMES),
    others: sum(ranked.slice(MAX_NAMES)),
    unknown: counts.domains - sum(ranked),
  };
}
