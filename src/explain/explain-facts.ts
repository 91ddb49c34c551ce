import { FACT_LEAVES } from '../record/facts/fact-leaves.ts';
import type { KeptFacts } from '../record/kept-facts.ts';
import type { ExplainedFact } from './explanation.ts';

/** The facts that have a name for people. */
const SHOWN = FACT_LEAVES.filter(({ meta }) => meta.label !== undefined);

const DAY_MS = 86_400_000;

/** Each fact that is kept of an instance, with its age. Unknown, stale and zero stay three different things. */
export function explainFacts(kept: KeptFacts, now: number, staleDays: number): ExplainedFact[] {
  return SHOWN.map(({ path, ageKey, of }) => {
    const value = of(kept.facts);
    const readAt = kept.readAt[ageKey] ?? null;
    if (value === null) return { path, value, readAt: null, standing: 'unknown' };
    const isStale = readAt === null || now - readAt > staleDays * DAY_MS;
    return {
      path,
      value,
      readAt: readAt === null ? null : new Date(readAt).toISOString(),
      standing: isStale ? 'stale' : 'fresh',
    };
  });
}
