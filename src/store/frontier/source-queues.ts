import { z } from 'zod';
import { createMetadataReader, createMetadataWriter } from '../metadata.ts';
import type { SourceQueuesTable } from '../schema/database.ts';
import { type Compiler, prepare, type QueryParameter, queryParameters } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';

/** The largest weight of a domain that its source reports to be Loops; any other domain has the weight 1. */
const MAX_WEIGHT = 12;
/** Initial trust in every source: it starts with this many confirmed reports. */
const TRUSTED_REPORTS = 100;

/** New domains of one source, or of no source. Domains that the source reports to be Loops have their own queue. */
export interface SourceQueue {
  /** The rank that {@link take} would return. */
  nextRank(): number;
  /** Returns the rank of the next domain and advances the queue. */
  take(): number;
  /** Stores how far `take` has advanced the queue. */
  save(): void;
}

/**
 * Ranks new domains by start-time fair queueing. They are visited in the order of their ranks; the next domain of a queue gets
 * `max(virtual time, last rank of the queue) + 1 / weight`. The virtual time is the highest rank leased so far, so a queue that was empty
 * starts at the position of the others: it is served at once and gains no credit for the time it was empty.
 * Everything runs inside the caller's transaction.
 */
export interface SourceQueues {
  /** A domain that a user requested gets this rank, so that it is leased next. */
  virtualTime(): number;
  advanceVirtualTime(rank: number): void;
  /** @param source null for domains that no source lists. */
  open(source: number | null, isReportedLoops: boolean): SourceQueue;
  /** Counts a domain that the source reported to be Loops and that was identified as Loops. */
  confirmReport(source: number | null): void;
}

/** The weight of the next report of a source, from 1 to 12, in proportion to its share of confirmed reports. */
export function reportWeight({ ranked, confirmed }: Pick<SourceQueuesTable, 'ranked' | 'confirmed'>): number {
  const trust = (confirmed + TRUSTED_REPORTS) / (ranked + TRUSTED_REPORTS);
  return Math.max(1, MAX_WEIGHT * Math.min(1, trust));
}

export function createSourceQueues(sqlite: Sqlite, db: Compiler): SourceQueues {
  const readVirtualTime = createMetadataReader(sqlite, db, 'virtual-time', z.number());
  const writeVirtualTime = createMetadataWriter<number>(sqlite, db, 'virtual-time');
  type Key = Pick<SourceQueuesTable, 'source_id' | 'reported_loops'>;
  const find = prepare(sqlite, (parameter: QueryParameter<Key>) =>
    db
      .selectFrom('source_queues')
      .select(['last_rank', 'ranked', 'confirmed'])
      .where('source_id', '=', parameter('source_id'))
      .where('reported_loops', '=', parameter('reported_loops')),
  );
  const write = prepare(sqlite, (parameter: QueryParameter<SourceQueuesTable>) =>
    db
      .insertInto('source_queues')
      .values(queryParameters(parameter, ['source_id', 'reported_loops', 'last_rank', 'ranked', 'confirmed']))
      .onConflict((conflict) =>
        conflict
          .columns(['source_id', 'reported_loops'])
          .doUpdateSet(queryParameters(parameter, ['last_rank', 'ranked', 'confirmed'])),
      ),
  );

  const virtualTime = () => readVirtualTime() ?? 0;
  const keyOf = (source: number | null, isReportedLoops: boolean): Key => {
    return { source_id: source ?? 0, reported_loops: isReportedLoops ? 1 : 0 };
  };
  const read = (key: Key): SourceQueuesTable => ({ ...key, last_rank: 0, ranked: 0, confirmed: 0, ...find.get(key) });
  return {
    virtualTime,
    advanceVirtualTime(rank) {
      if (rank > virtualTime()) writeVirtualTime(rank);
    },
    open(source, isReportedLoops) {
      const stored = read(keyOf(source, isReportedLoops));
      const queue = { ...stored };
      const timeAtOpening = virtualTime();
      const nextRank = () => Math.max(timeAtOpening, queue.last_rank) + 1 / (isReportedLoops ? reportWeight(queue) : 1);
      return {
        nextRank,
        take() {
          queue.last_rank = nextRank();
          queue.ranked += 1;
          return queue.last_rank;
        },
        save: () => {
          if (queue.ranked > stored.ranked) write.run(queue);
        },
      };
    },
    confirmReport(source) {
      const queue = read(keyOf(source, true));
      write.run({ ...queue, confirmed: queue.confirmed + 1 });
    },
  };
}
