import SqliteDatabase from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import { Database } from '../../src/store/sqlite/database.ts';
import { Store } from '../../src/store/store.ts';
import { StoreReader } from '../../src/store/store-reader.ts';
import { loopsVisit, recordedVisit, sampleDomains } from './sample-visit.ts';
import { scratchPath } from './scratch.ts';

interface Opened {
  readonly database: Database;
  readonly store: Store;
  readonly reader: StoreReader;
}

/** The steps of SQLite's plan of the last query that `work` executes on a database with one instance. */
export async function planOf(work: (opened: Opened) => unknown): Promise<string[]> {
  const path = scratchPath();
  await (await openStore({ path }))[Symbol.asyncDispose]();
  const executed: string[] = [];
  const sqlite = new SqliteDatabase(path, { verbose: (text) => executed.push(String(text)) });
  onTestFinished(() => void sqlite.close());
  const database = new Database(sqlite, path);
  const [store, reader] = [new Store(database, 0), new StoreReader(database)];
  const [domain] = sampleDomains(1);
  if (domain === undefined) throw new Error('there is no sample domain');
  store.domains.enter([domain], 1);
  store.visits.record(store.due.pick(1, 1).map((picked) => recordedVisit(picked, 1, loopsVisit(domain, 1))));
  executed.length = 0;
  const result = work({ database, store, reader });
  if (result !== null && typeof result === 'object' && Symbol.iterator in result)
    Array.from(result as Iterable<unknown>);
  const query = executed.findLast((text) => /^\s*(?:select\b(?! total_changes)|with\b|delete\b)/i.test(text)) ?? '';
  const steps = sqlite.prepare<[], { detail: string }>(`explain query plan ${query}`).all();
  return steps.map(({ detail }) => detail);
}
