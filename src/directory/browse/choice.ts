import { byMinimum, MINIMUMS, type Minimum } from '../measures.ts';
import type { InstanceEntry } from '../schema/instance-entry.ts';
import type { Feature, VersionAge } from './filter-values.ts';
import type { Registration } from './registration.ts';

/** `fair` favours nobody, see `fairOrder`. */
export const ORDERS = [
  'fair',
  'name',
  'newest',
  'version',
  'uptime',
  'users',
  'posts',
  'size',
  'length',
  'growth',
  'oldest',
] as const;
export type Order = (typeof ORDERS)[number];

/** What a user of the directory has chosen; an instance must match all filters. Null is no filter. */
export interface Choice extends Readonly<Record<Minimum, number | null>> {
  /** Text that the domain or the name contains. */
  readonly q: string;
  readonly registration: Registration | null;
  readonly standing: VersionAge | null;
  /** Exactly as reported. */
  readonly version: string | null;
  /** Its code, ISO 3166-1 alpha-2. */
  readonly country: string | null;
  readonly network: string | null;
  /** Features that an instance must all offer. */
  readonly features: readonly Feature[];
  readonly status: InstanceEntry['status'] | null;
  readonly order: Order;
}

export const NO_CHOICE: Choice = {
  q: '',
  registration: null,
  standing: null,
  version: null,
  country: null,
  network: null,
  features: [],
  ...byMinimum(() => null),
  status: null,
  order: 'fair',
};

/** One filter of a choice; each feature is a filter of its own. */
export type Filter =
  | { readonly [Key in FilterKey]: { readonly key: Key; readonly value: FilterValue<Key> } }[FilterKey]
  | { readonly key: Minimum; readonly value: number };

/** The filters whose values are those of the instances. */
export const NAMES = ['version', 'country', 'network'] as const;
export type Name = (typeof NAMES)[number];

type FilterKey = 'q' | 'registration' | 'standing' | Name | 'feature' | 'status';
type FilterValue<Key extends FilterKey> = Key extends 'feature'
  ? Feature
  : Key extends keyof Choice
    ? NonNullable<Choice[Key]>
    : never;

const SINGLE_KEYS = ['q', 'registration', 'standing', ...NAMES, ...MINIMUMS, 'status'] as const;

export function filtersOf(choice: Choice): Filter[] {
  const single = SINGLE_KEYS.flatMap((key) =>
    choice[key] === NO_CHOICE[key] ? [] : [{ key, value: choice[key] } as Filter],
  );
  return [...single, ...choice.features.map((value) => ({ key: 'feature', value }) as const)];
}

/** The choice with the filter added. Only features add up: any other filter replaces the one with the same key. */
export function withFilter(choice: Choice, { key, value }: Filter): Choice {
  if (key !== 'feature') return { ...choice, [key]: value };
  return choice.features.includes(value) ? choice : { ...choice, features: [...choice.features, value] };
}

export function withoutFilter(choice: Choice, { key, value }: Filter): Choice {
  if (key === 'feature') return { ...choice, features: choice.features.filter((feature) => feature !== value) };
  return { ...choice, [key]: NO_CHOICE[key] };
}
