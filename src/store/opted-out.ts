import { createOptOutSet, type OptOutSet, optOutScopeOf } from '../domain/opt-out-names.ts';
import type { Sqlite } from './sqlite.ts';

/** The opt-outs of a database as they are now, also for a reader of the past. */
export interface LiveOptOuts extends OptOutSet {
  /** To be called after this connection added some. */
  refresh(): void;
}

/**
 * Keeps the opt-outs in memory. When another connection has committed, what it added is appended; only after a deletion all are read again.
 *
 * @param checkMs how often at most, outside a transaction, the database is asked whether another connection changed anything.
 */
export function createLiveOptOuts(sqlite: Sqlite, checkMs = 0): LiveOptOuts {
  const commits = sqlite.prepare<[], number>('pragma data_version').pluck();
  const added = sqlite.prepare<[number], { id: number; name: string }>(
    'select id, name from main.opt_outs where id > ? order by id',
  );
  const count = sqlite.prepare<[], number>('select count(*) from main.opt_outs').pluck();
  const names = new Set<string>();
  const optOuts = createOptOutSet(names);
  let lastId = 0;
  let seenCommits = -1;
  let checkedAt = Number.NEGATIVE_INFINITY;
  const refresh = (): void => {
    for (const { id, name } of added.all(lastId)) {
      names.add(name);
      lastId = id;
    }
  };
  const now = (): OptOutSet => {
    // What a transaction writes must agree with the opt-outs of that moment.
    if (!sqlite.inTransaction) {
      const at = performance.now();
      if (at - checkedAt < checkMs) return optOuts;
      checkedAt = at;
    }
    const seen = commits.get() ?? 0;
    if (seen === seenCommits) return optOuts;
    refresh();
    if (count.get() !== names.size) {
      names.clear();
      lastId = 0;
      refresh();
    }
    seenCommits = seen;
    return optOuts;
  };
  return {
    get size() {
      return now().size;
    },
    has: (name) => now().has(name),
    refresh,
  };
}

/** Makes what tells when the first of the opt-outs that cover a name was made; null: none does. */
export function createOptOutFinder(sqlite: Sqlite): (name: string) => number | null {
  const first = sqlite
    .prepare<[string, string, string, string], number | null>(
      'select min(at) from main.opt_outs where name in (?, ?, ?, ?)',
    )
    .pluck();
  return (name) => {
    const { bare, twin, port } = optOutScopeOf(name);
    const ofPort = port === null ? '' : `:${port}`;
    return first.get(bare, twin, `${bare}${ofPort}`, `${twin}${ofPort}`) ?? null;
  };
}

/** Makes what counts the opt-outs made by a time; what another opt-out covers as well is counted with it. */
export function createOptOutCounter(sqlite: Sqlite): (by: number) => number {
  const made = sqlite.prepare<[number], string>('select name from main.opt_outs where at <= ?').pluck();
  return (by) => {
    const whole = new Set<string>();
    const ports: { bare: string; port: string }[] = [];
    for (const name of made.iterate(by)) {
      const { bare, port } = optOutScopeOf(name);
      if (port === null) whole.add(bare);
      else ports.push({ bare, port });
    }
    const alone = ports.filter(({ bare }) => !whole.has(bare)).map(({ bare, port }) => `${bare}:${port}`);
    return whole.size + new Set(alone).size;
  };
}
