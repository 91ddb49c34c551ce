import { z } from 'zod';
import { createMetadataReader, createMetadataWriter } from '../metadata.ts';
import type { Compiler } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';

const KEY = 'compaction';

/** How far each walk of a compaction has come: the id that it looked at last. */
export const CompactionProgress = z.object({
  steps: z.number(),
  documents: z.number(),
  visits: z.number(),
  usage: z.number(),
  orphanDocuments: z.number(),
  orphanFacts: z.number(),
  // Not in what was noted before there were runs.
  runs: z.number().default(0),
  // Not in what was noted before domains were dropped.
  unlisted: z.number().default(0),
  /** When the walks last began at the first id. */
  begunAt: z.number(),
});
export type CompactionProgress = z.infer<typeof CompactionProgress>;

const nothingDone = {
  steps: 0,
  documents: 0,
  visits: 0,
  usage: 0,
  orphanDocuments: 0,
  orphanFacts: 0,
  runs: 0,
  unlisted: 0,
};

/** Keeps the progress in the database, so that a compaction that is killed goes on where it was. */
export interface ProgressStore {
  /** Of a database that was never compacted, a beginning at `at`. */
  load(at: number): CompactionProgress;
  /** Runs inside the caller's transaction. */
  save(progress: CompactionProgress): void;
}

/** Progress at the first id of everything. */
export function beginning(at: number): CompactionProgress {
  return { ...nothingDone, begunAt: at };
}

export function createProgressStore(sqlite: Sqlite, db: Compiler): ProgressStore {
  const noted = createMetadataReader(sqlite, db, KEY, CompactionProgress);
  return {
    load: (at) => noted() ?? beginning(at),
    save: createMetadataWriter<CompactionProgress>(sqlite, db, KEY),
  };
}
