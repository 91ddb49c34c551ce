import type { FactLeaf } from '../model/facts/fact-leaves.ts';
import type { FactValue } from '../model/facts/fact-value.ts';
import type { Hosting } from '../model/facts/hosting.ts';
import type { Unit } from '../model/facts/instance-facts.ts';
import type { Words } from './site.ts';

const WITH_UNIT: Readonly<Record<Unit, (value: number, words: Words) => string>> = {
  MB: (value, { format }) => format.megabytes(value),
  s: (value, { format }) => format.duration(value),
  characters: (value, { format, instance }) => instance.facts.characters(format.number(value)),
  accounts: (value, { format }) => format.number(value),
  posts: (value, { format }) => format.number(value),
};

/** The value of a fact with its unit, as text: `3 min`, `yes`; null when it is unknown. */
export function factText(
  { path, meta }: Pick<FactLeaf, 'path' | 'meta'>,
  value: FactValue,
  words: Words,
): string | null {
  const { format, instance } = words;
  const { facts } = instance;
  if (value === null) return null;
  if (typeof value === 'boolean') return value ? facts.yes : facts.no;
  if (Array.isArray(value)) return value.join(', ') || facts.none;
  if (typeof value !== 'number') return path === 'hosting.country' ? format.country(value) : value;
  if (path === 'hosting.asn') return `AS${value}`;
  return meta.unit === undefined ? format.number(value) : WITH_UNIT[meta.unit](value, words);
}

/** How many instances the sum of a count includes, and how many it leaves out. */
export function coverageText(
  { reporting, implausible }: { readonly reporting: number; readonly implausible: number },
  instances: number,
  { stats, format: { number } }: Words,
): string {
  const coverage = stats.coverage(number(reporting), number(instances));
  return implausible === 0 ? coverage : `${coverage}, ${stats.implausible(number(implausible))}`;
}

/** Where a host is, in a phrase; null when nothing is known. */
export function hostingText({ country, asn, network, behind }: Hosting, { domain, format }: Words): string | null {
  const place = behind !== null ? domain.behind(behind) : country === null ? null : format.country(country);
  const number = asn === null ? null : `AS${asn}`;
  const known = [place, network ?? number].filter((part) => part !== null);
  if (known.length === 0) return null;
  return `${known.join(', ')}${network !== null && number !== null ? ` (${number})` : ''}`;
}
