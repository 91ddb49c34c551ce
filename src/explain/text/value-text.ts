import type { FactValue } from '../../record/facts/fact-value.ts';

/** A fact as a person reads it; null is `unknown`, and an empty text or list is told from it. */
export function valueText(value: FactValue): string {
  if (value === null) return 'unknown';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value === '' ? '""' : String(value);
}
