import { z } from 'zod';
import type { Verdict } from '../../record/verdict.ts';
import type { DomainLine } from './domain-line.ts';
import { noted } from './noted.ts';

const count = (what: string) => noted(z.int().nonnegative().describe(what), { unit: 'domains' });

const verdicts = {
  loops: count('Domains found to run Loops.'),
  other: count('Domains found to run other software.'),
  unidentified: count('Domains that answer but do not say what they run.'),
  unreachable: count('Domains that gave no usable answer.'),
  declined: count('Domains that asked not to be visited, or whose address is not a public one.'),
  alias: count('Domains that redirect to another.'),
} satisfies Record<Verdict, ReturnType<typeof count>>;

const states = {
  new: count('Domains not yet visited.'),
  active: count('Domains whose last visit succeeded.'),
  failing: count('Domains whose last visit failed.'),
  dead: count('Domains that failed often and long.'),
  gone: count('Domains that answered 410 Gone.'),
} satisfies Record<DomainLine['state'], ReturnType<typeof count>>;

/** Totals over the known domains. */
export const DomainCounts = z.object({
  domains: count('Known domains.'),
  visited: count('Known domains visited at least once.'),
  verdicts: z.object(verdicts).describe('Visited domains by the verdict of their last visit.'),
  states: z.object(states).describe('Known domains by state.'),
});
export type DomainCounts = z.infer<typeof DomainCounts>;
