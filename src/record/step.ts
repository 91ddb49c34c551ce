import { z } from 'zod';
import { Reason } from './reason.ts';

/** What a request was made for. `dns` is the look-up that precedes them all. */
export const Probe = z.enum(['dns', 'robots', 'config', 'discovery', 'nodeinfo']);
export type Probe = z.infer<typeof Probe>;

/** One thing a visit did: a look-up or a request, and how it went. */
export const Step = z.object({
  probe: Probe,
  /** The URL asked, or the host looked up. */
  url: z.string(),
  /** HTTP status; null when no answer came. */
  status: z.number().int().nullable(),
  /** How long it took, in milliseconds. */
  ms: z.number().int(),
  /** Body length after decompression, in bytes. */
  bytes: z.number().int(),
  /** Why it gave no usable answer, or null. */
  failure: Reason.nullable(),
  /** What else a reader should know: where a redirect led, why a request was not made. */
  note: z.string().optional(),
});
export type Step = z.infer<typeof Step>;
