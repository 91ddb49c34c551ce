import { z } from 'zod';

/**
 * What one visit decided about a domain. Every visit ends in exactly one verdict and one {@link Reason}.
 *
 * - `loops`: a probe names the software id exactly.
 * - `other`: a probe names another software.
 * - `unidentified`: the host answers, but neither probe settles what it is.
 * - `unreachable`: no usable answer (DNS, connect, TLS, time-out, reset, 5xx throughout).
 * - `declined`: it asked not to be visited, or its address is forbidden to us.
 * - `alias`: it redirects to another host, which becomes a candidate of its own.
 */
export const Verdict = z.enum(['loops', 'other', 'unidentified', 'unreachable', 'declined', 'alias']);
export type Verdict = z.infer<typeof Verdict>;

/** Which probe settled a `loops` or `other` verdict: the configuration endpoint or NodeInfo (specification 4.4). */
export const Via = z.enum(['config', 'nodeinfo']);
export type Via = z.infer<typeof Via>;
