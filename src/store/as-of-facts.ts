import type { InstanceFacts } from '../record/facts/instance-facts.ts';
import { nodeInfoWasRead } from '../record/nodeinfo-was-read.ts';
import type { Via } from '../record/verdict.ts';
import type { Cut } from './as-of-cut.ts';
import { readFactSetText } from './fact-set-text.ts';
import { leaves } from './facts-row.ts';
import type { FactsTable } from './schema/facts-table.ts';
import type { Sqlite } from './sqlite.ts';
import { countColumns, toUsage } from './usage-row.ts';

/** A visit that found the instance, newest first; the counts are null when it read none. */
interface Reading {
  id: number;
  at: number;
  via: Via;
  facts_id: number;
  kept_facts_id: number | null;
  users: number | null;
  active_month: number | null;
  active_halfyear: number | null;
  posts: number | null;
  /** Null when no counts are kept of it. */
  counted_at: number | null;
}

type Usage = InstanceFacts['usage'];
const UNCOUNTED: Usage = { users: null, activeMonth: null, activeHalfyear: null, posts: null, asOf: null };
/** Sets of facts in memory at a time; many instances share one, and most visits of one read the same. */
const MOST_CACHED = 2_000;

/**
 * Puts a table of what was kept of each instance at a past moment in the place of `facts`, for this connection alone. A visit says
 * what was kept after it; the counts and the ages of facts are those of the visits that read them.
 */
export function showPastFacts(sqlite: Sqlite, { at, keptSince }: Cut): void {
  sqlite.exec(`create temp table facts (
    domain_id integer primary key, facts_id integer not null, usage text not null, checked_at integer not null, read_at text not null
  )`);
  const known = sqlite.prepare<[], FactsTable>(
    'select facts.* from main.facts cross join temp.domains where domains.id = facts.domain_id',
  );
  const keep = sqlite.prepare<[FactsTable]>(
    'insert into temp.facts values (@domain_id, @facts_id, @usage, @checked_at, @read_at)',
  );
  const readings = sqlite.prepare<[number], Reading>(
    `select visits.id, visits.at, visits.via, visits.facts_id, visits.kept_facts_id,
        usage.at as counted_at, ${countColumns.join(', ')}
      from visits
      left join usage on usage.domain_id = visits.domain_id and usage.at = visits.at and usage.visit_id = visits.id
      where visits.domain_id = ? and visits.facts_id is not null
      order by visits.at desc, visits.id desc`,
  );
  const isRevised = sqlite.prepare('select 1 from temp.since_revised where visit_id = ?');
  const read = createFactSetReader(sqlite);

  // Read whole, since a statement that is under way would be in the way of writing: one row an instance.
  for (const row of known.all()) {
    const walk = readings.iterate(row.domain_id);
    const kept = lastKept(walk);
    // Kept of a visit that is no longer there; there was none since.
    if (kept === null && row.checked_at <= at) keep.run(row);
    if (kept !== null) {
      const isAsNow = kept.at === row.checked_at && kept.kept_facts_id === row.facts_id && !isRevised.get(kept.id);
      if (isAsNow) walk.return?.();
      const then = isAsNow ? row : { domain_id: row.domain_id, ...factsAfter(kept, walk, read, keptSince.usage) };
      keep.run(then);
    }
  }
}

type Kept = Reading & { kept_facts_id: number };

function lastKept(walk: Iterator<Reading>): Kept | null {
  for (let next = walk.next(); !next.done; next = walk.next()) {
    const { kept_facts_id } = next.value;
    if (kept_facts_id !== null) return { ...next.value, kept_facts_id };
  }
  return null;
}

/**
 * What was kept after a visit. Each known fact was last read by the newest visit up to that one which found it; the counts are those of the newest that asked for them.
 *
 * @param earlier the visits before it, newest first; read as far as is needed.
 */
function factsAfter(
  kept: Kept,
  earlier: IterableIterator<Reading>,
  read: (id: number) => FactSet,
  usageKeptSince: number,
): Omit<FactsTable, 'domain_id'> {
  const missing = new Set(read(kept.kept_facts_id).known);
  const readAt: Record<string, number> = {};
  let usage: Usage | null = null;
  let oldest = kept.at;
  const take = (visit: Reading) => {
    const { facts, known } = read(visit.facts_id);
    oldest = visit.at;
    for (const path of known) if (missing.delete(path) && visit.at !== kept.at) readAt[path] = visit.at;
    usage ??= usageOf(visit, facts, usageKeptSince);
  };
  take(kept);
  for (let next = undone(); next !== null; next = undone()) take(next);
  earlier.return?.();
  // Read by a visit that is no longer kept.
  for (const path of missing) readAt[path] = oldest;
  const counted = usage ?? UNCOUNTED;
  if (counted.asOf !== null && Date.parse(counted.asOf) !== kept.at) readAt.usage = Date.parse(counted.asOf);
  return {
    facts_id: kept.kept_facts_id,
    usage: JSON.stringify(counted),
    checked_at: kept.at,
    read_at: JSON.stringify(readAt),
  };

  function undone(): Reading | null {
    if (missing.size === 0 && usage !== null) return null;
    const next = earlier.next();
    return next.done ? null : next.value;
  }
}

/** Null when the visit could not ask for counts, or those that it read may have been thinned out since. */
function usageOf(visit: Reading, facts: InstanceFacts, keptSince: number): Usage | null {
  if (visit.counted_at === null) {
    return visit.at >= keptSince && nodeInfoWasRead(facts, visit.via) ? UNCOUNTED : null;
  }
  return toUsage(visit);
}

/** Facts without counts, and the paths of those that are known. */
interface FactSet {
  facts: InstanceFacts;
  known: readonly string[];
}

function createFactSetReader(sqlite: Sqlite): (id: number) => FactSet {
  const find = sqlite.prepare<[number], string>('select facts from main.fact_sets where id = ?').pluck();
  const cache = new Map<number, FactSet>();
  return (id) => {
    const cached = cache.get(id);
    if (cached !== undefined) return cached;
    const text = find.get(id);
    if (text === undefined) throw new Error(`a visit refers to facts ${id}, which are not there`);
    const facts = readFactSetText(text, UNCOUNTED);
    const known = leaves.filter(([, of]) => of(facts) !== null).map(([path]) => path);
    if (cache.size >= MOST_CACHED) cache.clear();
    const set = { facts, known };
    cache.set(id, set);
    return set;
  };
}
