import { isDeepStrictEqual } from 'node:util';
import { type EpochMs, MINUTE_MS } from '../../model/time.ts';
import type { WorkerRecord } from '../../model/worker.ts';

export type WorkerIdentity = Pick<WorkerRecord, 'name' | 'version'>;

/** If only the times at which workers were seen have changed, they are stored this often, because each write makes readers reload the directory. */
const LAST_SEEN_MS = MINUTE_MS;

/** The workers of a crawling process, and counts of what they did that are not stored yet. */
export function createRoster(now: () => EpochMs) {
  const changes = new Map<string, WorkerRecord>();
  let alive: readonly WorkerIdentity[] = [];
  let storedAt = Number.NEGATIVE_INFINITY;
  let hasNews = false;

  function markSeen({ name, version }: WorkerIdentity): WorkerRecord {
    const counts = changes.get(name) ?? { visits: 0, errors: 0 };
    const seen = { ...counts, name, version, lastSeen: now() };
    changes.set(name, seen);
    return seen;
  }

  return {
    count(worker: WorkerIdentity, counter: 'visits' | 'errors'): void {
      markSeen(worker)[counter] += 1;
      hasNews = true;
    },
    /** @param workers all that are alive now. */
    setAlive(workers: readonly WorkerIdentity[]): void {
      for (const worker of workers) {
        markSeen(worker);
        hasNews ||= !alive.some((known) => isDeepStrictEqual(known, worker));
      }
      alive = workers;
    },
    /** The counts since the last call, to be added to the stored ones. Empty while only the times changed and were stored recently. */
    takeChanges(): WorkerRecord[] {
      if (!hasNews && Math.abs(now() - storedAt) < LAST_SEEN_MS) return [];
      const records = [...changes.values()];
      changes.clear();
      hasNews = false;
      if (records.length > 0) storedAt = now();
      return records;
    },
  };
}
