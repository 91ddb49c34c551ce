import { z } from 'zod';
import type { Domain } from './domain/domain.ts';
import { FACT_LEAVES, type FactPath } from './facts/fact-leaves.ts';
import type { FactValue } from './facts/fact-value.ts';

/** What is recorded of every domain, whatever it runs. */
const DOMAIN_FIELDS = ['state', 'conclusive', 'via', 'software', 'version', 'aliasOf', 'noindex', 'pointsTo'] as const;

const fields: readonly ((typeof DOMAIN_FIELDS)[number] | FactPath)[] = [
  ...DOMAIN_FIELDS,
  ...FACT_LEAVES.filter(({ meta }) => meta.history !== undefined).map(({ path }) => path),
];

/**
 * The recorded facts whose changes are kept for ever, by the paths under which they are published. Counts are not among
 * them: of those, samples are kept.
 */
export const ChangedField = z.enum(fields);
export type ChangedField = z.infer<typeof ChangedField>;

/** The fields of which nothing but changes is published, and their meanings. */
export const FIELDS_OF_CHANGES_ALONE = {
  conclusive: 'the last verdict that said what the host is: `loops`, `other` or `alias`',
  noindex: 'whether the host asks not to be published; as long as it does, nothing of it is',
  pointsTo: 'another host that it names as the one it speaks for',
  gifProviderBrand: 'the brand in the name under which the GIF switch was sent',
} as const satisfies Partial<Record<ChangedField, string>>;

/**
 * What made a fact change.
 *
 * - `visit`: a visit found it so.
 * - `added`: somebody asked for the domain by name.
 * - `replay`: today's parsers read a stored document differently.
 */
export const ChangeCause = z.enum(['visit', 'added', 'replay']);
export type ChangeCause = z.infer<typeof ChangeCause>;

/** A fact that is not what it was. */
export interface FactChange {
  field: ChangedField;
  from: FactValue;
  to: FactValue;
  /** Of a state, what moved it, in words; null for every other field. */
  why: string | null;
}

/** A change as it is kept. */
export interface Change extends FactChange {
  /** Start of the visit that found it, or when it was asked for; milliseconds since the epoch. */
  at: number;
  cause: ChangeCause;
}

/** A change, and of which domain. */
export interface DomainChange extends Change {
  domain: Domain;
}
