import type { FactChange } from '../../model/change.ts';
import { findFactChanges } from '../../model/facts/fact-changes.ts';
import type { InstanceFacts } from '../../model/facts/instance-facts.ts';
import { type KnownFacts, updateKnownFacts } from '../../model/facts/known-facts.ts';
import type { Via } from '../../model/verdict.ts';
import { wasNodeInfoRead } from '../../model/visit.ts';
import type { FactsTable } from '../schema/tables.ts';
import { Rows } from '../sqlite/database.ts';
import { type QueryParameter, queryParameters } from '../sqlite/prepare.ts';
import { type FactsRow, factsColumns, toFactSetText, toFactsRow } from './facts-row.ts';
import { selectedCounts } from './usage.ts';

/** Maximum number of earlier usage samples with which new counts are compared, to flag implausible ones. */
const MAX_SAMPLES = 10;

interface InstanceVisit {
  domainId: number;
  facts: InstanceFacts;
  via: Via;
  at: number;
}

export class Instances extends Rows {
  readonly #find = this.database.prepare((db, parameter: QueryParameter<Pick<FactsTable, 'domain_id'>>) =>
    db
      .selectFrom('facts')
      .innerJoin('fact_sets', 'fact_sets.id', 'facts.facts_id')
      .select([...factsColumns, 'facts.facts_id'])
      .where('domain_id', '=', parameter('domain_id')),
  );
  readonly #replace = this.database.prepare((db, parameter: QueryParameter<FactsTable>) => {
    const columns = queryParameters(parameter, ['facts_id', 'usage', 'checked_at', 'read_at']);
    return db
      .insertInto('facts')
      .values({ domain_id: parameter('domain_id'), ...columns })
      .onConflict((conflict) => conflict.column('domain_id').doUpdateSet(columns));
  });
  readonly #findEarlierUsage = this.database.prepare(
    (db, parameter: QueryParameter<{ domain_id: number; at: number; limit: number }>) =>
      db
        .selectFrom('usage')
        .select(['at', ...selectedCounts])
        .where('domain_id', '=', parameter('domain_id'))
        .where('at', '<', parameter('at'))
        .orderBy('at', 'desc')
        .limit(parameter('limit')),
  );
  readonly #findFactSet = this.database.prepare((db, parameter: QueryParameter<{ facts: string }>) =>
    db.selectFrom('fact_sets').select('id').where('facts', '=', parameter('facts')),
  );
  readonly #insertFactSet = this.database.prepare((db, parameter: QueryParameter<{ facts: string }>) =>
    db
      .insertInto('fact_sets')
      .values({ facts: parameter('facts') })
      .returning('id'),
  );

  /**
   * Merges the facts of a visit into those of the instance; returns the id of the former in `fact_sets`, and the changes. Runs inside the
   * caller's transaction.
   */
  update({ domainId, facts, via, at }: InstanceVisit): { factsId: number; changes: FactChange[] } {
    const row = this.#find.get({ domain_id: domainId });
    const before = row === undefined ? null : parseUnchecked(row);
    const samples = this.#findEarlierUsage.all({ domain_id: domainId, at, limit: MAX_SAMPLES });
    const merged = updateKnownFacts(before, { facts, via, nodeInfoRead: wasNodeInfoRead(facts, via), at }, samples);
    const { facts: mergedText, ...columns } = toFactsRow(merged);
    const readText = toFactSetText(facts);
    // Usually only counts and times have changed, so the stored fact set is reused.
    const idOf = (text: string) => (text === row?.facts ? row.facts_id : this.#writeFactSet(text));
    const mergedFactsId = idOf(mergedText);
    this.#replace.run({ domain_id: domainId, facts_id: mergedFactsId, ...columns });
    return {
      factsId: readText === mergedText ? mergedFactsId : idOf(readText),
      changes: findFactChanges(before?.facts ?? null, merged.facts),
    };
  }

  /** Stores a fact set unless it is already stored, and returns its id. */
  #writeFactSet(facts: string): number {
    const row = this.#findFactSet.get({ facts }) ?? this.#insertFactSet.get({ facts });
    if (row === undefined) throw new Error('SQLite returned no id for a fact set that it inserted');
    return row.id;
  }
}

/**
 * Parses a row without validation, which would take longer than the rest of recording a visit. `readAt` lacks the times that equal
 * `checkedAt`, which updateKnownFacts accepts.
 */
function parseUnchecked(row: FactsRow): KnownFacts {
  const facts = { ...JSON.parse(row.facts), usage: JSON.parse(row.usage) } as InstanceFacts;
  return { facts, readAt: JSON.parse(row.read_at) as KnownFacts['readAt'], checkedAt: row.checked_at };
}
