import { createOptOutSet, type OptOutSet, optOutScopeOf } from '../../model/opt-outs/opt-out-names.ts';
import type { IsHidden } from '../../model/opt-outs/opted-out-references.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';

/** The current opt-outs of a database. */
export interface OptOutCache extends OptOutSet {
  /** Call after this connection has added opt-outs, because only commits of other connections are detected. */
  refresh(): void;
}

/**
 * Caches the opt-outs in memory. After a commit of another connection it reads the new ones, or all if any was deleted.
 *
 * @param checkMs minimum time between two checks for such a commit; inside a transaction every call checks.
 */
export function createOptOutCache(sqlite: Sqlite, checkMs = 0): OptOutCache {
  const readDataVersion = sqlite.prepare<[], number>('pragma data_version').pluck();
  const findNewer = sqlite.prepare<[number], { id: number; name: string }>(
    'select id, name from opt_outs where id > ? order by id',
  );
  const count = sqlite.prepare<[], number>('select count(*) from opt_outs').pluck();
  const names = new Set<string>();
  const optOuts = createOptOutSet(names);
  let lastId = 0;
  let cachedVersion = -1;
  let checkedAt = Number.NEGATIVE_INFINITY;
  const refresh = (): void => {
    for (const { id, name } of findNewer.all(lastId)) {
      names.add(name);
      lastId = id;
    }
  };
  const current = (): OptOutSet => {
    // The writes of a transaction must respect the opt-outs at that time.
    if (!sqlite.inTransaction) {
      const at = performance.now();
      if (at - checkedAt < checkMs) return optOuts;
      checkedAt = at;
    }
    const dataVersion = readDataVersion.get() ?? 0;
    if (dataVersion === cachedVersion) return optOuts;
    refresh();
    if (count.get() !== names.size) {
      names.clear();
      lastId = 0;
      refresh();
    }
    cachedVersion = dataVersion;
    return optOuts;
  };
  return {
    get size() {
      return current().size;
    },
    has: (name) => current().has(name),
    refresh,
  };
}

/** Creates a function that finds the time of the earliest opt-out covering a name; null when none covers it. */
export function createOptOutFinder(sqlite: Sqlite): (name: string) => number | null {
  const first = sqlite
    .prepare<[string, string, string, string], number | null>('select min(at) from opt_outs where name in (?, ?, ?, ?)')
    .pluck();
  return (name) => {
    const { bare, withWww, port } = optOutScopeOf(name);
    const suffix = port === null ? '' : `:${port}`;
    return first.get(bare, withWww, `${bare}${suffix}`, `${withWww}${suffix}`) ?? null;
  };
}

/** Creates a function that counts the opt-outs, without those covered by another. */
export function createOptOutCounter(sqlite: Sqlite): () => number {
  const names = sqlite.prepare<[], string>('select name from opt_outs').pluck();
  return () => {
    const hosts = new Set<string>();
    const ports: { bare: string; port: string }[] = [];
    for (const name of names.iterate()) {
      const { bare, port } = optOutScopeOf(name);
      if (port === null) hosts.add(bare);
      else ports.push({ bare, port });
    }
    const uncovered = ports.filter(({ bare }) => !hosts.has(bare)).map(({ bare, port }) => `${bare}:${port}`);
    return hosts.size + new Set(uncovered).size;
  };
}

/** Creates {@link IsHidden}. */
export function createHiddenReader(sqlite: Sqlite, optedOut: OptOutSet): IsHidden {
  const asksNotToBePublished = sqlite
    .prepare<[string], 1>('select 1 from domains where domain = ? and noindex = 1')
    .pluck();
  return (domain) => optedOut.has(domain) || asksNotToBePublished.get(domain) === 1;
}

/** Whether a source is read from a host that has opted out. @param name its key and label: one of them holds its URL, if it has one. */
export function isSourceOptedOut(name: string, optedOut: OptOutSet): boolean {
  const host = /https?:\/\/([^/?#\s]+)/.exec(name)?.[1];
  return host !== undefined && optedOut.has(host);
}
