import { z } from 'zod';
import type { Domain } from './domain/domain.ts';
import { FACT_LEAVES, type FactPath, HOSTING_LEAVES } from './facts/fact-leaves.ts';
import type { FactValue } from './facts/fact-value.ts';
import type { Missing } from './facts/missing.ts';
import type { EpochMs } from './time.ts';

/** The fields whose changes are recorded for every domain, whatever its software. */
const DOMAIN_FIELDS = [
  'state',
  'identifiedAs',
  'via',
  'software',
  'version',
  'aliasOf',
  'noindex',
  'pointsTo',
] as const;

const fields: readonly ((typeof DOMAIN_FIELDS)[number] | FactPath)[] = [
  ...DOMAIN_FIELDS,
  ...[...HOSTING_LEAVES, ...FACT_LEAVES].filter(({ meta }) => meta.history !== undefined).map(({ path }) => path),
];

/** The fields whose changes are stored forever. Counts are stored as samples instead. */
export const ChangedField = z.enum(fields);
export type ChangedField = z.infer<typeof ChangedField>;

/** The fields published only as changes, with their meanings. */
export const CHANGE_ONLY_FIELDS = {
  identifiedAs:
    'the last verdict that identified the host: `loops`, `other` (other software) or `alias` (it redirects to another host)',
  noindex: 'whether the host asks not to be published; while it does, nothing about it is published',
  pointsTo: 'the other host that the instance names as its canonical host',
  gifProviderBrand: 'the brand of the GIF provider, from the name of the config field: `klipy` for `hasKlipy`',
} as const satisfies Partial<Record<ChangedField, string>>;

/**
 * What caused a change.
 *
 * - `visit`: a visit.
 * - `added`: a user added the domain.
 */
export const ChangeCause = z.enum(['visit', 'added']);
export type ChangeCause = z.infer<typeof ChangeCause>;

/** A fact with a new value. */
export interface FactChange {
  field: ChangedField;
  from: FactValue;
  to: FactValue;
  /** Why the state changed, as text; null for every other field. */
  why: string | null;
}

/** A change as stored. */
export interface Change extends FactChange {
  /** Start of the visit, or time of the user's request, that caused the change. */
  at: EpochMs;
  cause: ChangeCause;
}

export interface DomainChange extends Change {
  domain: Domain;
  /** Why the new value is missing; null when it is not, or when there is none to report, such as no redirect. */
  missing: Missing | null;
}
