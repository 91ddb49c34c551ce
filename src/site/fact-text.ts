import type { FactLeaf } from '../model/facts/fact-leaves.ts';
import type { FactValue } from '../model/facts/fact-value.ts';
import type { Words } from './site.ts';

/** The value of a fact with its unit, as text: `3 min`, `yes`; null when it is unknown. */
export function factText({ meta }: Pick<FactLeaf, 'meta'>, value: FactValue, words: Words): string | null {
  const { facts } = words.instance;
  if (value === null) return null;
  if (typeof value === 'boolean') return value ? facts.yes : facts.no;
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value !== 'number') return String(value);
  const { format } = words;
  switch (meta.unit) {
    case 'MB':
      return format.megabytes(value);
    case 's':
      return format.duration(value);
    case 'characters':
      return facts.characters(format.number(value));
    default:
      return format.number(value);
  }
}
