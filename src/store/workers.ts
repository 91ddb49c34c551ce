import { z } from 'zod';
import { WorkerRecord } from '../model/worker.ts';
import { createMetadataReader, createMetadataWriter } from './metadata.ts';
import type { Compiler } from './sqlite/prepare.ts';
import type { Sqlite } from './sqlite/sqlite.ts';
import type { Store } from './store.ts';

const KEY = 'workers';
/** Workers not seen for this long are dropped: in containers, each restart may produce a new name. */
const KEPT_MS = 30 * 86_400_000;

export function createWorkerReader(sqlite: Sqlite, db: Compiler): () => WorkerRecord[] {
  const read = createMetadataReader(sqlite, db, KEY, z.array(WorkerRecord));
  return () => read() ?? [];
}

export function createWorkerRecorder(sqlite: Sqlite, db: Compiler): Store['recordWorkers'] {
  const read = createWorkerReader(sqlite, db);
  const write = createMetadataWriter<WorkerRecord[]>(sqlite, db, KEY);
  const record = sqlite.transaction((seen: readonly WorkerRecord[]) => {
    const workers = new Map(read().map((worker) => [worker.name, worker]));
    for (const worker of seen) {
      const { visits = 0, errors = 0 } = workers.get(worker.name) ?? {};
      workers.set(worker.name, {
        ...worker,
        visits: visits + worker.visits,
        errors: errors + worker.errors,
      });
    }
    const now = Math.max(...seen.map(({ lastSeen }) => lastSeen));
    const kept = [...workers.values()].filter(({ lastSeen }) => now - lastSeen < KEPT_MS);
    write(kept.sort((a, b) => (a.name < b.name ? -1 : 1)));
  });
  return (seen) => record.immediate(seen);
}
