import { sql } from 'kysely';
import type { DomainRecord } from '../record/domain-record.ts';
import type { Compiler } from './compiler.ts';
import { type Placeholder, prepare } from './prepare.ts';
import type { TurnYieldsTable } from './schema/turn-yields-table.ts';
import type { Sqlite } from './sqlite.ts';

/** What the first visits of one transaction came to, by the turn that each waited in. */
export interface TurnYieldCount {
  /** A first visit, or the first that found Loops, is counted; nothing else is. */
  count(waited: { turn_of: number | null; hinted: number }, before: DomainRecord, after: DomainRecord): void;
  /** Writes what was counted: one row for each turn, however many visits. Runs inside the transaction. */
  keep(): void;
}

/** Answers what begins the count of a transaction. */
export function createTurnYieldKeeper(sqlite: Sqlite, db: Compiler): () => TurnYieldCount {
  const add = prepare(sqlite, (value: Placeholder<TurnYieldsTable>) =>
    db
      .insertInto('turn_yields')
      .values({ line: value('line'), turn: value('turn'), visited: value('visited'), loops: value('loops') })
      .onConflict((conflict) =>
        conflict.columns(['line', 'turn']).doUpdateSet({
          visited: sql`turn_yields.visited + excluded.visited`,
          loops: sql`turn_yields.loops + excluded.loops`,
        }),
      ),
  );
  return () => {
    const counted = new Map<string, TurnYieldsTable>();
    return {
      count({ turn_of, hinted }, before, after) {
        const isFirst = before.lastVisit === null;
        const isFound = after.onceLoops && !before.onceLoops;
        if (!isFirst && !isFound) return;
        const line = hinted === 1 ? 'hinted' : 'new';
        const turn = turn_of ?? 0;
        const key = `${line} ${turn}`;
        const { visited, loops } = counted.get(key) ?? { visited: 0, loops: 0 };
        counted.set(key, { line, turn, visited: visited + Number(isFirst), loops: loops + Number(isFound) });
      },
      keep() {
        for (const row of counted.values()) add.run(row);
      },
    };
  };
}
