import { z } from 'zod';
import { isoTime } from '../model/time.ts';
import type { WorkerRecord } from '../model/worker.ts';

/** A worker as published. */
export const Worker = z.object({
  name: z.string().describe('Its name. Workers of one name are counted together.'),
  version: z.string().describe('Its version of Loopscout.'),
  visits: z.int().nonnegative().describe('Visits that it carried out.'),
  errors: z
    .int()
    .nonnegative()
    .describe('Visit orders that it took and that ended without a visit, for example because it was offline.'),
  lastSeen: z.iso.datetime().describe('When it was last known to run, accurate to a minute.'),
});
export type Worker = z.infer<typeof Worker>;

export function describeWorker(worker: WorkerRecord): Worker {
  return { ...worker, lastSeen: isoTime(worker.lastSeen) };
}
