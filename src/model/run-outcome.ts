import { z } from 'zod';

/**
 * The outcome of one run of a source.
 *
 * - `complete`: it was read to its end.
 * - `unchanged`: it reports no change since the last complete run.
 * - `partial`: it ended early; the domains read before are stored.
 * - `failed`: nothing could be read.
 * - `denied`: nothing could be read, because the server refuses access (401, 403, a challenge page).
 * - `broken`: the process died during the run; the domains read before are stored.
 */
export const RunOutcome = z.enum(['complete', 'unchanged', 'partial', 'failed', 'denied', 'broken']);
export type RunOutcome = z.infer<typeof RunOutcome>;
