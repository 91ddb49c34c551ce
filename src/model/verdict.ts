import { z } from 'zod';

/** Every verdict and when it is given. The one place where the words are defined. */
export const VERDICTS = {
  loops: 'a probe names the software id exactly',
  other: 'a probe names another software',
  unidentified: 'the host answers, but neither probe settles what it is',
  unreachable: 'there is no usable answer: DNS, connection, TLS, time-out, reset, or server errors throughout',
  declined: 'the host asked not to be visited, or its address is not a public one',
  alias: 'the host redirects to another host, which becomes a candidate of its own',
} as const;

/**
 * What one visit decided about a domain, each word explained in {@link VERDICTS}. Every visit ends in exactly one verdict and one
 * {@link Reason}.
 */
export type Verdict = keyof typeof VERDICTS;
export const Verdict = z.enum(Object.keys(VERDICTS) as [Verdict, ...Verdict[]]);

/** Which probe settled a `loops` or `other` verdict: the configuration endpoint or NodeInfo (specification 4.4). */
export const Via = z.enum(['config', 'nodeinfo']);
export type Via = z.infer<typeof Via>;
