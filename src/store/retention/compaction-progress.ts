import { z } from 'zod';
import { createMetadataReader, createMetadataWriter } from '../metadata.ts';
import type { Compiler } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';

const KEY = 'compaction';

/** The last id processed by each walk of a compaction. */
export const CompactionProgress = z.object({
  steps: z.number(),
  documents: z.number(),
  visits: z.number(),
  usage: z.number(),
  orphanDocuments: z.number(),
  orphanFacts: z.number(),
  runs: z.number(),
  neverSeen: z.number(),
  /** When the walks last started at the first id. */
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
  neverSeen: 0,
};

/** Stores the progress in the database, so that the next compaction continues an interrupted one. */
export interface ProgressStore {
  /** Returns {@link initialProgress} if the database was never compacted. */
  load(at: number): CompactionProgress;
  /** Runs inside the caller's transaction. */
  save(progress: CompactionProgress): void;
}

export function initialProgress(at: number): CompactionProgress {
  return { ...nothingDone, begunAt: at };
}

export function createProgressStore(sqlite: Sqlite, db: Compiler): ProgressStore {
  const read = createMetadataReader(sqlite, db, KEY, CompactionProgress);
  return {
    load: (at) => read() ?? initialProgress(at),
    save: createMetadataWriter<CompactionProgress>(sqlite, db, KEY),
  };
}
