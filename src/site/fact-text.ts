import type { FactLeaf } from '../model/facts/fact-leaves.ts';
import type { FactValue } from '../model/facts/fact-value.ts';
import type { Hosting } from '../model/facts/hosting.ts';
import type { Words } from './site.ts';

/** The value of a fact with its unit, as text: `3 min`, `yes`; null when it is unknown. */
export function factText(
  { path, meta }: Pick<FactLeaf, 'path' | 'meta'>,
  value: FactValue,
  words: Words,
): string | null {
  const { facts } = words.instance;
  if (value === null) return null;
  if (typeof value === 'boolean') return value ? facts.yes : facts.no;
  if (Array.isArray(value)) return value.join(', ');
  const { format } = words;
  if (typeof value !== 'number') return path === 'hosting.country' ? format.country(value) : value;
  if (path === 'hosting.asn') return `AS${value}`;
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

/** Where a host is, in a phrase; null when nothing is known. */
export function hostingText({ country, asn, network, behind }: Hosting, { domain, format }: Words): string | null {
  const place = behind !== null ? domain.behind(behind) : country === null ? null : format.country(country);
  const number = asn === null ? null : `AS${asn}`;
  const known = [place, network ?? number].filter((part) => part !== null);
  if (known.length === 0) return null;
  return `${known.join(', ')}${network !== null && number !== null ? ` (${number})` : ''}`;
}
