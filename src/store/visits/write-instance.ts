import type { FactChange } from '../../model/change.ts';
import { findFactChanges } from '../../model/facts/fact-changes.ts';
import type { InstanceFacts } from '../../model/facts/instance-facts.ts';
import { type KnownFacts, updateKnownFacts } from '../../model/facts/known-facts.ts';
import type { Via } from '../../model/verdict.ts';
import { wasNodeInfoRead } from '../../model/visit.ts';
import type { FactsTable } from '../schema/database.ts';
import { type Compiler, prepare, type QueryParameter, queryParameters } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import { createFactSetWriter, type FactsRow, factsColumns, toFactSetText, toFactsRow } from './facts-row.ts';
import { selectedCounts } from './usage.ts';

/** Maximum number of earlier usage samples with which new counts are compared, to flag implausible ones. */
const MAX_SAMPLES = 10;

export interface InstanceVisit {
  domainId: number;
  facts: InstanceFacts;
  via: Via;
  /** Start of the visit, epoch milliseconds. */
  at: number;
}

export interface InstanceWriter {
  /** Merges the facts of a visit into those of the instance; returns the id of the former in `fact_sets`, and the changes. */
  update(visit: InstanceVisit): { factsId: number; changes: FactChange[] };
}

/** Stores facts of instances. Every method runs inside the caller's transaction. */
export function createInstanceWriter(sqlite: Sqlite, db: Compiler): InstanceWriter {
  const writeFactSet = createFactSetWriter(sqlite, db);
  const find = prepare(sqlite, (parameter: QueryParameter<Pick<FactsTable, 'domain_id'>>) =>
    db
      .selectFrom('facts')
      .innerJoin('fact_sets', 'fact_sets.id', 'facts.facts_id')
      .select([...factsColumns, 'facts.facts_id'])
      .where('domain_id', '=', parameter('domain_id')),
  );
  const replace = prepare(sqlite, (parameter: QueryParameter<FactsTable>) => {
    const columns = queryParameters(parameter, ['facts_id', 'usage', 'checked_at', 'read_at']);
    return db
      .insertInto('facts')
      .values({ domain_id: parameter('domain_id'), ...columns })
      .onConflict((conflict) => conflict.column('domain_id').doUpdateSet(columns));
  });
  const findEarlierUsage = prepare(
    sqlite,
    (parameter: QueryParameter<{ domain_id: number; at: number; limit: number }>) =>
      db
        .selectFrom('usage')
        .select(['at', ...selectedCounts])
        .where('domain_id', '=', parameter('domain_id'))
        .where('at', '<', parameter('at'))
        .orderBy('at', 'desc')
        .limit(parameter('limit')),
  );

  return {
    update({ domainId, facts, via, at }) {
      const row = find.get({ domain_id: domainId });
      const before = row === undefined ? null : parseUnchecked(row);
      const samples = findEarlierUsage.all({ domain_id: domainId, at, limit: MAX_SAMPLES });
      const merged = updateKnownFacts(before, { facts, via, nodeInfoRead: wasNodeInfoRead(facts, via), at }, samples);
      const { facts: mergedText, ...columns } = toFactsRow(merged);
      const readText = toFactSetText(facts);
      // Usually only counts and times have changed, so the stored fact set is reused.
      const idOf = (text: string) => (text === row?.facts ? row.facts_id : writeFactSet(text));
      const mergedFactsId = idOf(mergedText);
      replace.run({ domain_id: domainId, facts_id: mergedFactsId, ...columns });
      return {
        factsId: readText === mergedText ? mergedFactsId : idOf(readText),
        changes: findFactChanges(before?.facts ?? null, merged.facts),
      };
    },
  };
}

/**
 * Parses a row without validation, which would take longer than the rest of recording a visit. `readAt` lacks the times that equal
 * `checkedAt`, which updateKnownFacts accepts.
 */
function parseUnchecked(row: FactsRow): KnownFacts {
  const facts = { ...JSON.parse(row.facts), usage: JSON.parse(row.usage) } as InstanceFacts;
  return { facts, readAt: JSON.parse(row.read_at) as KnownFacts['readAt'], checkedAt: row.checked_at };
}
