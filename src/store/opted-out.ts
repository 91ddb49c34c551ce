import { createOptOutSet, type OptOutSet, optOutScopeOf } from '../domain/opt-out-names.ts';
import type { Sqlite } from './sqlite.ts';

/** The opt-outs of a database as they are now, also for a reader of the past. */
export interface LiveOptOuts extends OptOutSet {
  /** To be called after this connection changed them. */
  refresh(): void;
}

const OPTED_OUT = `from main.domains where state = 'opted-out'`;

/**
 * Keeps the opt-outs in memory; they are read again when they have changed.
 *
 * @param checkMs how often at most, outside a transaction, the database is asked whether another connection changed anything.
 */
export function createLiveOptOuts(sqlite: Sqlite, checkMs = 0): LiveOptOuts {
  const commits = sqlite.prepare<[], number>('pragma data_version').pluck();
  const version = sqlite
    .prepare<[], string>(`select concat_ws(' ', count(*), sum(id), sum(state_since)) ${OPTED_OUT}`)
    .pluck();
  const names = sqlite.prepare<[], string>(`select domain ${OPTED_OUT}`).pluck();
  let seenCommits = -1;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let seenVersion = '';
  let current = createOptOutSet([]);
  const refresh = (): void => {
    const found = version.get() ?? '';
    if (found !== seenVersion) current = createOptOutSet(names.all());
    seenVersion = found;
  };
  const now = (): OptOutSet => {
    // What a transaction writes must agree with the opt-outs of that moment.
    if (!sqlite.inTransaction) {
      const at = performance.now();
      if (at - checkedAt < checkMs) return current;
      checkedAt = at;
    }
    const seen = commits.get() ?? 0;
    if (seen !== seenCommits) refresh();
    seenCommits = seen;
    return current;
  };
  return {
    get size() {
      return now().size;
    },
    has: (name) => now().has(name),
    refresh,
  };
}

/** Makes what counts the opt-outs made by a time; what another opt-out covers as well is counted with it. */
export function createOptOutCounter(sqlite: Sqlite): (by: number) => number {
  const made = sqlite.prepare<[number], string>(`select domain ${OPTED_OUT} and state_since <= ?`).pluck();
  return (by) => {
    const whole = new Set<string>();
    const ports: { bare: string; port: string }[] = [];
    for (const domain of made.iterate(by)) {
      const { bare, port } = optOutScopeOf(domain);
      if (port === null) whole.add(bare);
      else ports.push({ bare, port });
    }
    const alone = ports.filter(({ bare }) => !whole.has(bare)).map(({ bare, port }) => `${bare}:${port}`);
    return whole.size + new Set(alone).size;
  };
}
