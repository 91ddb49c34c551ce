import type { FactChange } from '../../model/change.ts';
import { findFactChanges } from '../../model/facts/fact-changes.ts';
import type { InstanceFacts } from '../../model/facts/instance-facts.ts';
import { type KnownFacts, updateKnownFacts } from '../../model/facts/known-facts.ts';
import type { Via } from '../../model/verdict.ts';
import { wasNodeInfoRead } from '../../model/visit.ts';
import type { FactsTable } from '../schema/database.ts';
import { type Compiler, type Placeholder, placeholders, prepare } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import { createFactSetKeeper, type FactsRow, factsColumns, toFactSetText, toFactsRow } from './facts-row.ts';
import { selectedCounts } from './usage.ts';

/** So many earlier samples are looked at for odd counts. */
const samplesLookedAt = 10;

/** What a visit found out about an instance. */
export interface InstanceReading {
  domainId: number;
  facts: InstanceFacts;
  via: Via;
  /** Start of the visit, epoch milliseconds. */
  at: number;
}

export interface InstanceKeeper {
  /** The id of the facts as they were read, in `fact_sets`. */
  read(facts: InstanceFacts): number;
  /** Changes what is kept of the instance; answers the ids in `fact_sets` of what was read and of what is kept. */
  keep(reading: InstanceReading): { factsId: number; keptFactsId: number; changes: FactChange[] };
  /** Puts what was kept of the instance at another time in the place of what is kept now; null: nothing was. */
  restore(domainId: number, kept: FactsTable | null): void;
}

/** Keeps facts of instances. Runs inside the caller's transaction. */
export function createInstanceKeeper(sqlite: Sqlite, db: Compiler): InstanceKeeper {
  const keepFactSet = createFactSetKeeper(sqlite, db);
  const find = prepare(sqlite, (value: Placeholder<Pick<FactsTable, 'domain_id'>>) =>
    db
      .selectFrom('facts')
      .innerJoin('fact_sets', 'fact_sets.id', 'facts.facts_id')
      .select([...factsColumns, 'facts.facts_id'])
      .where('domain_id', '=', value('domain_id')),
  );
  const replace = prepare(sqlite, (value: Placeholder<FactsTable>) => {
    const columns = placeholders(value, ['facts_id', 'usage', 'checked_at', 'read_at']);
    return db
      .insertInto('facts')
      .values({ domain_id: value('domain_id'), ...columns })
      .onConflict((conflict) => conflict.column('domain_id').doUpdateSet(columns));
  });
  const remove = prepare(sqlite, (value: Placeholder<Pick<FactsTable, 'domain_id'>>) =>
    db.deleteFrom('facts').where('domain_id', '=', value('domain_id')),
  );
  const earlier = prepare(sqlite, (value: Placeholder<{ domain_id: number; at: number; limit: number }>) =>
    db
      .selectFrom('usage')
      .select(['at', ...selectedCounts])
      .where('domain_id', '=', value('domain_id'))
      .where('at', '<', value('at'))
      .orderBy('at', 'desc')
      .limit(value('limit')),
  );

  return {
    read: (facts) => keepFactSet(toFactSetText(facts)),
    restore(domainId, kept) {
      if (kept === null) remove.run({ domain_id: domainId });
      else replace.run(kept);
    },
    keep({ domainId, facts, via, at }) {
      const row = find.get({ domain_id: domainId });
      const before = row === undefined ? null : trusted(row);
      const samples = earlier.all({ domain_id: domainId, at, limit: samplesLookedAt });
      const kept = updateKnownFacts(before, { facts, via, nodeInfoRead: wasNodeInfoRead(facts, via), at }, samples);
      const { facts: keptText, ...columns } = toFactsRow(kept);
      const readText = toFactSetText(facts);
      // Mostly nothing but counts and times changes, and no set has to be looked for.
      const idOf = (text: string) => (text === row?.facts ? row.facts_id : keepFactSet(text));
      const keptFactsId = idOf(keptText);
      replace.run({ domain_id: domainId, facts_id: keptFactsId, ...columns });
      return {
        factsId: readText === keptText ? keptFactsId : idOf(readText),
        keptFactsId,
        changes: findFactChanges(before?.facts ?? null, kept.facts),
      };
    },
  };
}

/**
 * What this store wrote itself, without the checks of a reader: they take longer than all the rest of a recording. A fact
 * without a time of its own was read at `checkedAt`, and updateKnownFacts takes it so.
 */
function trusted(row: FactsRow): KnownFacts {
  const facts = { ...JSON.parse(row.facts), usage: JSON.parse(row.usage) } as InstanceFacts;
  return { facts, readAt: JSON.parse(row.read_at) as KnownFacts['readAt'], checkedAt: row.checked_at };
}
