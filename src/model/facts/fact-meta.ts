import { z } from 'zod';

/** How a field of a remote document is read; a value of another type is unknown. */
export type FieldType = 'text' | 'identifier' | 'flag' | 'count' | 'identifiers';

/** The units of facts: the codebook's symbol, the word in a sentence, and the short form beside a label. */
export const UNITS = {
  MB: { word: 'megabytes', short: 'MB' },
  s: { word: 'seconds', short: 'seconds' },
  characters: { word: 'characters', short: 'characters' },
  accounts: { word: 'accounts', short: 'accounts' },
  posts: { word: 'posts', short: 'posts' },
} as const;
export type Unit = keyof typeof UNITS;

/** What is known of one fact beside its type and its description. */
export interface FactMeta {
  /** What a person calls it. A fact without a label is not listed by `explain` and `check`. */
  readonly label?: string;
  /** What its value means, without the unit and without what null means. */
  readonly meaning: string;
  readonly unit?: Unit;
  readonly type?: FieldType;
  /** The most characters kept of a text, or of each text of a list. */
  readonly maxLength?: number;
  /** Paths in the configuration, the specified one first: the first valid value counts. */
  readonly config?: readonly [string, ...string[]];
  /** The same in NodeInfo, which counts where the configuration is silent. */
  readonly nodeinfo?: readonly [string, ...string[]];
  /** The fact is not the value but the brand in the name of the field that was valid: brand by path. */
  readonly brands?: Readonly<Record<string, string>>;
  /** The first release of Loops whose configuration has the field. */
  readonly since?: string;
  /** Its changes are recorded; of a `set`, the order of the values says nothing. */
  readonly history?: 'value' | 'set';
  /** How `stats.json` and the API count it: yes and no, by name, by least, median and most, or as a sum. */
  readonly statistics?: 'answers' | 'names' | 'spread' | 'sum';
  /** How `GET /api/v1/instances` selects by it: as a word of `feature`, or by `KEY.min` and `KEY.max`. */
  readonly filter?: 'feature' | 'range';
}

/** What its value means, with the unit: `Largest video accepted, in megabytes`. */
export function claimOf({ meaning, unit, statistics }: FactMeta): string {
  if (statistics === 'sum') return `${meaning}, as reported`;
  return unit === undefined ? meaning : `${meaning}, in ${UNITS[unit].word}`;
}

/** Its label with the unit: `longest video (seconds)`. */
export function labelOf({ label = '', unit, statistics }: FactMeta): string {
  return unit === undefined || statistics === 'sum' ? label : `${label} (${UNITS[unit].short})`;
}

/** A registry of its own: what is in the global one becomes part of every JSON Schema, and strict validators refuse unknown keywords. */
export const factMeta = z.registry<FactMeta>();
