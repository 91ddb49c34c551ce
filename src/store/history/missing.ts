import { z } from 'zod';
import type { Change } from '../../model/change.ts';
import { COUNTS, FACT_LEAVES, HOSTING_LEAVES } from '../../model/facts/fact-leaves.ts';
import { FieldNote } from '../../model/facts/instance-facts.ts';
import { isNoted, type Missing, whyMissing } from '../../model/facts/missing.ts';
import type { UsageSample } from '../../model/facts/usage-sample.ts';
import { Verdict, Via } from '../../model/verdict.ts';
import { readFactSetText } from '../visits/facts-row.ts';

const Read = z.object({ via: Via.nullable(), verdict: Verdict, facts: z.unknown() });
const NO_COUNTS = { users: null, activeMonth: null, activeHalfyear: null, posts: null, asOf: null };

/**
 * Why the new value of a change is missing.
 *
 * @param text what its visit read, as JSON; null when that is no longer stored.
 */
export function whyChangedToNull({ field, to, cause }: Change, text: string | null): Missing | null {
  if (to !== null || cause !== 'visit' || field === 'aliasOf' || field === 'pointsTo') return null;
  // No document holds it.
  if (HOSTING_LEAVES.some(({ path }) => path === field)) return null;
  if (field === 'identifiedAs') return 'refused';
  if (text === null) return 'unknown';
  const { via, verdict, facts } = Read.parse(JSON.parse(text));
  const leaf = FACT_LEAVES.find(({ path }) => path === field);
  if (verdict === 'alias') return 'not-asked';
  if (leaf === undefined || via === null || facts === null) return 'not-reported';
  // A fact becomes unknown only when every document that can hold it was read, so the steps do not matter.
  return whyMissing(leaf, readFactSetText(JSON.stringify(facts), NO_COUNTS), via, null);
}

const Notes = z.array(FieldNote);

/**
 * Why counts of a sample are missing, each as `COUNT=CODE`: NodeInfo was read, as at least one count is known.
 *
 * @param notes the unreadable fields of the visit, as JSON; null when they are no longer stored.
 */
export function missingCounts(sample: UsageSample, notes: string | null): string[] {
  const missing = COUNTS.filter(({ key }) => sample[key] === null);
  if (missing.length === 0) return [];
  const read = notes === null ? null : Notes.parse(JSON.parse(notes));
  const whyOf = (paths: readonly string[]): Missing =>
    read === null ? 'unknown' : isNoted(paths, read) ? 'unreadable' : 'not-reported';
  return missing.map(({ key, meta }) => `${key}=${whyOf(meta.nodeinfo ?? [])}`);
}
