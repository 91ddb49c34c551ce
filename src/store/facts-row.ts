import { z } from 'zod';
import { InstanceFacts } from '../record/instance.ts';
import type { FactPath, KeptFacts } from '../record/kept-facts.ts';
import { readFactSetText, toFactSetText } from './fact-set-text.ts';
import type { FactsTable } from './schema/facts-table.ts';

const Usage = InstanceFacts.shape.usage;
const ReadAt = z.record(z.string(), z.number());

/** The facts that have an age of their own when they are known. */
export const leaves: readonly [FactPath, (facts: InstanceFacts) => unknown][] = [
  ['name', (of) => of.name],
  ['description', (of) => of.description],
  ['software', (of) => of.software],
  ['version', (of) => of.version],
  ['registration.open', (of) => of.registration.open],
  ['registration.mode', (of) => of.registration.mode],
  ['federation', (of) => of.federation],
  ['features.forYouFeed', (of) => of.features.forYouFeed],
  ['features.pushNotifications', (of) => of.features.pushNotifications],
  ['features.starterKits', (of) => of.features.starterKits],
  ['features.atomFeeds', (of) => of.features.atomFeeds],
  ['features.gifProvider', (of) => of.features.gifProvider],
  ['gifProviderBrand', (of) => of.gifProviderBrand],
  ['limits.maxVideoSizeMB', (of) => of.limits.maxVideoSizeMB],
  ['limits.maxVideoDurationSeconds', (of) => of.limits.maxVideoDurationSeconds],
  ['limits.videoFormats', (of) => of.limits.videoFormats],
  ['limits.maxBioLength', (of) => of.limits.maxBioLength],
  ['usage', (of) => of.usage.asOf],
];

/** A row of `facts` with the text of the set that it refers to. */
export type FactsRow = Omit<FactsTable, 'domain_id' | 'facts_id'> & { facts: string };

/** The columns of {@link FactsRow}, for a query over `facts` joined with `fact_sets`. */
export const factsColumns = ['fact_sets.facts', 'facts.usage', 'facts.checked_at', 'facts.read_at'] as const;

export function toKeptFacts(row: FactsRow): KeptFacts {
  const facts = readFactSetText(row.facts, Usage.parse(JSON.parse(row.usage)));
  const older = ReadAt.parse(JSON.parse(row.read_at));
  const readAt: Record<FactPath, number> = {};
  for (const [path, of] of leaves) if (of(facts) !== null) readAt[path] = older[path] ?? row.checked_at;
  return { facts, readAt, checkedAt: row.checked_at };
}

export function toFactsRow({ facts, readAt, checkedAt }: KeptFacts): FactsRow {
  return {
    facts: toFactSetText(facts),
    usage: JSON.stringify(facts.usage),
    checked_at: checkedAt,
    read_at: JSON.stringify(Object.fromEntries(Object.entries(readAt).filter(([, at]) => at !== checkedAt))),
  };
}
