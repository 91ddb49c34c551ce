import { z } from 'zod';

/** Every verdict and its meaning. */
export const VERDICTS = {
  loops: 'a probe names exactly the software id of Loops',
  other: 'a probe names other software',
  unidentified: 'the host responds, but neither probe identifies it',
  unreachable: 'no usable response: DNS, connection, TLS, time-out, reset, or only server errors',
  declined: 'the host asked not to be visited, or its address is not public',
  alias: 'the host redirects to another host, which becomes a separate candidate',
} as const;

/** The result of a visit, explained in {@link VERDICTS}. Every visit ends in exactly one verdict and one {@link Reason}. */
export type Verdict = keyof typeof VERDICTS;
export const Verdict = z.enum(Object.keys(VERDICTS) as [Verdict, ...Verdict[]]);

/** Which probe settled a `loops` or `other` verdict: the configuration endpoint or NodeInfo (specification 4.4). */
export const Via = z.enum(['config', 'nodeinfo']);
export type Via = z.infer<typeof Via>;
