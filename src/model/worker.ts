import { z } from 'zod';

/** What a crawling process knows about all workers with one name. A name is a vantage point: the place that visits come from. */
export const WorkerRecord = z.object({
  name: z.string(),
  /** Of the worker seen last. */
  version: z.string(),
  /** Number of visits. */
  visits: z.number(),
  /** Visit orders that ended without a visit. */
  errors: z.number(),
  /** Visits of listed instances that failed from this worker and succeeded from another vantage point. */
  reachedElsewhere: z.number(),
  /** Milliseconds since the epoch. */
  lastSeen: z.number(),
});
export type WorkerRecord = z.infer<typeof WorkerRecord>;
