import { z } from 'zod';
import type { Verdict } from '../../record/verdict.ts';
import type { DomainLine } from './domain-line.ts';

const count = z.int().nonnegative();

const verdicts = {
  loops: count.describe('Domains found to run Loops.'),
  other: count.describe('Domains found to run other software.'),
  unidentified: count.describe('Domains that answer but do not say what they run.'),
  unreachable: count.describe('Domains that gave no usable answer.'),
  declined: count.describe('Domains that asked not to be visited, or whose address is not a public one.'),
  alias: count.describe('Domains that redirect to another.'),
} satisfies Record<Verdict, typeof count>;

const states = {
  new: count.describe('Domains not yet visited.'),
  active: count.describe('Domains whose last visit succeeded.'),
  failing: count.describe('Domains whose last visit failed.'),
  dead: count.describe('Domains that failed often and long.'),
  gone: count.describe('Domains that answered 410 Gone.'),
} satisfies Record<DomainLine['state'], typeof count>;

/** Totals over the known domains. */
export const DomainCounts = z.object({
  domains: count.describe('Known domains.'),
  visited: count.describe('Known domains visited at least once.'),
  verdicts: z.object(verdicts).describe('Visited domains by the verdict of their last visit.'),
  states: z.object(states).describe('Known domains by state.'),
});
export type DomainCounts = z.infer<typeof DomainCounts>;
