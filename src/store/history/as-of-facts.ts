import { byKey, COUNTS } from '../../model/facts/fact-leaves.ts';
import type { InstanceFacts } from '../../model/facts/instance-facts.ts';
import type { Via } from '../../model/verdict.ts';
import { wasNodeInfoRead } from '../../model/visit.ts';
import type { FactsTable } from '../schema/database.ts';
import { createCompiler } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import { agedFacts, readFactSetText } from '../visits/facts-row.ts';
import { type CountedRow, selectedCounts, toUsage } from '../visits/usage.ts';
import { type Cut, createRetainedSinceStore, type LogOrder, NEWEST_FIRST } from './as-of-cut.ts';

type Usage = InstanceFacts['usage'];

/** A visit that identified the instance; the counts are null when it read none. */
interface LoopsVisit extends CountedRow {
  at: number;
  via: Via;
  facts_id: number;
  merged_facts_id: number;
}

const UNKNOWN_USAGE: Usage = { ...byKey(COUNTS, () => null), asOf: null };
/** Maximum number of cached fact sets. Many instances share a fact set, and most visits of an instance read the same one. */
const MAX_CACHED = 2_000;

/** The stored facts of an instance as of a cut; null when no visit had identified it. */
export type ReadPastFacts = (domainId: number, cut: Cut) => FactsTable | null;

/**
 * The facts are those stored with the last visit that identified the instance, merged from earlier visits. The read time of each fact is
 * the start of the newest visit that read it; the counts are from the newest visit that requested them.
 */
export function createPastFactsReader(sqlite: Sqlite, order: LogOrder = 'time'): ReadPastFacts {
  const newestFirst = sqlite.prepare<[{ domainId: number } & Cut], LoopsVisit>(
    `select visits.id as id, visits.at as at, visits.via, visits.facts_id, visits.merged_facts_id, usage.at as counted_at, ${selectedCounts.join(', ')}
      from main.visits as visits left join main.usage as usage
        on usage.domain_id = visits.domain_id and usage.at = visits.at and usage.visit_id = visits.id
      where visits.domain_id = @domainId and visits.at <= @at and visits.id <= @visitId and visits.facts_id is not null
      order by ${NEWEST_FIRST[order]}`,
  );
  const readSet = createFactSetReader(sqlite);
  const retainedSince = createRetainedSinceStore(sqlite, createCompiler());
  /** Null when the visit did not request counts, or when compaction may have deleted them. */
  const usageOf = (visit: LoopsVisit): Usage | null => {
    if (visit.counted_at !== null) return toUsage(visit);
    return visit.at >= retainedSince.load().usage && wasNodeInfoRead(readSet(visit.facts_id).facts, visit.via)
      ? UNKNOWN_USAGE
      : null;
  };

  return (domainId, cut) => {
    let last: LoopsVisit | null = null;
    let usage: Usage | null = null;
    let oldest = 0;
    const undated = new Set<string>();
    const readAt: Record<string, number> = {};
    for (const visit of newestFirst.iterate({ domainId, ...cut })) {
      if (last === null) {
        last = visit;
        for (const ageKey of readSet(visit.merged_facts_id).knownKeys) undated.add(ageKey);
      }
      for (const ageKey of readSet(visit.facts_id).knownKeys)
        if (undated.delete(ageKey) && visit.at !== last.at) readAt[ageKey] = visit.at;
      usage ??= usageOf(visit);
      oldest = visit.at;
      if (undated.size === 0 && usage !== null) break;
    }
    if (last === null) return null;
    // The other facts were read by visits that have been deleted.
    for (const ageKey of undated) readAt[ageKey] = oldest;
    const lastUsage = usage ?? UNKNOWN_USAGE;
    if (lastUsage.asOf !== null && Date.parse(lastUsage.asOf) !== last.at) readAt.usage = Date.parse(lastUsage.asOf);
    return {
      domain_id: domainId,
      facts_id: last.merged_facts_id,
      usage: JSON.stringify(lastUsage),
      checked_at: last.at,
      read_at: JSON.stringify(readAt),
    };
  };
}

/** Facts without counts, and the keys of the known ones, see {@link agedFacts}. */
interface FactSet {
  facts: InstanceFacts;
  knownKeys: readonly string[];
}

function createFactSetReader(sqlite: Sqlite): (id: number) => FactSet {
  const find = sqlite.prepare<[number], string>('select facts from main.fact_sets where id = ?').pluck();
  const cache = new Map<number, FactSet>();
  return (id) => {
    const cached = cache.get(id);
    if (cached !== undefined) return cached;
    const text = find.get(id);
    if (text === undefined) throw new Error(`a visit refers to the missing fact set ${id}`);
    const facts = readFactSetText(text, UNKNOWN_USAGE);
    const set = { facts, knownKeys: agedFacts.filter(([, get]) => get(facts) !== null).map(([ageKey]) => ageKey) };
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(id, set);
    return set;
  };
}
