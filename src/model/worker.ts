import { z } from 'zod';

/** What a crawling process knows about all workers with one name. */
export const WorkerRecord = z.object({
  name: z.string(),
  /** Of the worker seen last. */
  version: z.string(),
  /** Number of visits. */
  visits: z.number(),
  /** Visit orders that ended without a visit. */
  errors: z.number(),
  /** Milliseconds since the epoch. */
  lastSeen: z.number(),
});
export type WorkerRecord = z.infer<typeof WorkerRecord>;
