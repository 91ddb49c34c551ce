import { inflateSync } from 'node:zlib';
import SqliteDatabase from 'better-sqlite3';
import type { OptOutSet } from '../../model/opt-outs/opt-out-names.ts';
import {
  anonymiseSource,
  bodyMentionsOptedOutHost,
  mentionsOptedOutHost,
  redactBody,
  redactText,
} from '../../model/opt-outs/redact-names.ts';
import { isBusy, type Sqlite } from '../sqlite/sqlite.ts';

/** Rewriting takes about ten seconds and a gigabyte of disk per gigabyte; for larger files `secure_delete` must suffice. */
const MAX_REWRITE_BYTES = 1024 ** 3;
/** Each attempt waits for the connection's busy time-out. */
const ATTEMPTS = 20;

/**
 * Rewrites the database without any trace of deleted rows, and empties the write-ahead log. `secure_delete` overwrites deleted rows and
 * freed pages, but not the copies that SQLite leaves in the unused part of a page when it moves rows between pages: in a measurement,
 * about one domain in forty left such a copy.
 *
 * @returns false if the file is too large, the disk full, or the database busy.
 */
export function scrub(sqlite: Sqlite): boolean {
  const bytes =
    Number(sqlite.pragma('page_count', { simple: true })) * Number(sqlite.pragma('page_size', { simple: true }));
  const isRewritten = bytes <= MAX_REWRITE_BYTES && rewrite(sqlite);
  const isLogEmpty = attempt(() => sqlite.pragma('wal_checkpoint(truncate)', { simple: true }) === 0);
  return isRewritten && isLogEmpty;
}

/** Returns false when the disk is full or the database busy. */
function rewrite(sqlite: Sqlite): boolean {
  try {
    return attempt(() => {
      sqlite.exec('vacuum');
      return true;
    });
  } catch (error) {
    if (error instanceof SqliteDatabase.SqliteError && /^SQLITE_(FULL|IOERR_WRITE)/.test(error.code)) return false;
    throw error;
  }
}

/** Repeats work until it returns true; a busy database counts as false. */
function attempt(work: () => boolean): boolean {
  for (let attempts = 0; attempts < ATTEMPTS; attempts += 1) {
    try {
      if (work()) return true;
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
  }
  return false;
}

/** Rows per statement and per transaction; fewer for documents, which are large. */
const CHUNK = 200;
const DOCUMENT_CHUNK = 20;

/** The columns that can hold names of other hosts; documents, fact sets and source names are redacted separately. */
export const REDACTED_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  domains: ['software', 'version', 'alias_of', 'canonical_host', 'state_why', 'next_visit_why'],
  visits: ['software', 'version', 'alias_of', 'canonical_host'],
  visit_steps: ['steps'],
  changes: ['from_value', 'to_value', 'why'],
  robots: ['body'],
  source_runs: ['why', 'etag', 'last_modified'],
  skipped_sources: ['why'],
};

/** The columns that refer to fact sets. */
const FACT_REFERENCES = [
  ['visits', 'facts_id'],
  ['facts', 'facts_id'],
] as const;

type Value = string | number | Uint8Array | null;
/** Returns a function that redacts the row, or null if the row names no opted-out host. */
type PrepareRedaction<Row> = (row: Row, key: readonly Value[]) => (() => void) | null;

/**
 * Creates a function that removes opted-out names from the rows of other domains: it redacts texts and deletes the bodies of documents
 * that contain such a name. It reads all rows in chunks and writes in short transactions; a row that has changed since it was read is
 * skipped. Idempotent.
 *
 * @param pause called after each transaction.
 */
export function createStoredRedactor(sqlite: Sqlite, optedOut: OptOutSet, pause: () => void): () => void {
  const keyOf = sqlite
    .prepare<[string], string>('select name from pragma_table_info(?) where pk > 0 order by pk')
    .pluck();
  const write = sqlite.transaction((redactions: readonly (() => void)[]) => {
    for (const redact of redactions) redact();
  });

  function createWalk<Row extends readonly Value[]>(
    table: string,
    columns: readonly string[],
    prepareRedaction: PrepareRedaction<Row>,
    chunk = CHUNK,
  ) {
    // In the SQL below, an array becomes a list separated by commas.
    const key = keyOf.all(table);
    const read = (where: string) =>
      sqlite
        .prepare<Value[], Value[]>(
          `select ${[...key, ...columns]} from ${table} ${where} order by ${key} limit ${chunk}`,
        )
        .raw();
    const first = read('');
    const next = read(`where (${key}) > (${key.map(() => '?')})`);
    return () => {
      let rows = first.all();
      while (rows.length > 0) {
        const redactions = rows.flatMap(
          (row) => prepareRedaction(row.slice(key.length) as never, row.slice(0, key.length)) ?? [],
        );
        if (redactions.length > 0) {
          write.immediate(redactions);
          pause();
        }
        rows = next.all(...(rows.at(-1) ?? []).slice(0, key.length));
      }
    };
  }

  function redactTable(table: string, columns: readonly string[]) {
    const isUnchanged = [...keyOf.all(table), ...columns].map((column) => `${column} is ?`).join(' and ');
    const update = sqlite.prepare<Value[]>(
      `update ${table} set ${columns.map((column) => `${column} = ?`)} where ${isUnchanged}`,
    );
    const remove = sqlite.prepare<Value[]>(`delete from ${table} where ${isUnchanged}`);
    return createWalk(table, columns, (row: Value[], key) => {
      const after = row.map(redactValue);
      if (after.every((value, index) => value === row[index])) return null;
      // A change between two redacted names is no longer a change.
      if (table === 'changes' && after[0] === after[1]) return () => remove.run(...key, ...row);
      return () => update.run(...after, ...key, ...row);
    });
  }
  const redactValue = (value: Value): Value => {
    if (typeof value === 'string') return redactText(value, optedOut);
    return value instanceof Uint8Array ? redactBody(value, optedOut) : value;
  };

  const removeBody = sqlite.prepare<[Value, Value]>(
    `update documents set body = null, deflated = 0, redacted_because = 'opted-out' where id = ? and sha256 = ?`,
  );
  type Document = [sha256: Uint8Array, bytes: number, deflated: number, body: Uint8Array | null];
  const redactDocuments = createWalk(
    'documents',
    ['sha256', 'bytes', 'deflated', 'body'],
    ([sha256, bytes, deflated, stored]: Document, [id = null]) => {
      const body = stored !== null && deflated === 1 ? tryToInflate(stored, bytes) : stored;
      return body !== null && bodyMentionsOptedOutHost(body, optedOut) ? () => removeBody.run(id, sha256) : null;
    },
    DOCUMENT_CHUNK,
  );

  const findFactSet = sqlite.prepare<[Value], number>('select id from fact_sets where facts = ?').pluck();
  const updateFacts = sqlite.prepare<[Value, Value]>('update fact_sets set facts = ? where id = ?');
  const removeFacts = sqlite.prepare<[Value]>('delete from fact_sets where id = ?');
  const updateReferences = FACT_REFERENCES.map(([table, column]) =>
    // SQLite uses the partial index only if the query repeats its condition.
    sqlite.prepare<[Value, Value]>(`update ${table} set ${column} = ? where ${column} = ? and ${column} is not null`),
  );
  const redactFacts = createWalk('fact_sets', ['facts'], ([facts]: [string], [id = null]) => {
    const after = redactText(facts, optedOut);
    if (after === facts) return null;
    return () => {
      if (findFactSet.get(facts) !== id) return;
      const existingId = findFactSet.get(after);
      if (existingId === undefined) return updateFacts.run(after, id);
      for (const updateReference of updateReferences) updateReference.run(existingId, id);
      return removeFacts.run(id);
    };
  });

  const rename = sqlite.prepare<Value[]>('update or ignore sources set key = ?, label = ? where id = ? and key = ?');
  const redactSources = createWalk('sources', ['key', 'label'], ([key, label]: [string, string], [id = null]) => {
    const { key: name } = anonymiseSource({ key, label }, optedOut);
    if (name === key) return null;
    // A run after the opt-out may have created a row with that name.
    return () => rename.run(name, name, id, key).changes > 0 || rename.run(`${name} ${id}`, name, id, key);
  });
  const removeSkipped = sqlite.prepare<[Value]>('delete from skipped_sources where key = ?');
  const redactSkipped = createWalk('skipped_sources', [], (_row: [], [key = null]) =>
    mentionsOptedOutHost(String(key), optedOut) ? () => removeSkipped.run(key) : null,
  );

  const tables = Object.entries(REDACTED_COLUMNS).map(([table, columns]) => redactTable(table, columns));
  const steps = [redactDocuments, redactFacts, redactSources, redactSkipped, ...tables];
  return () => {
    for (const step of steps) step();
  };
}

/** Null for a damaged body, which a replay reports. */
function tryToInflate(body: Uint8Array, bytes: number): Uint8Array | null {
  try {
    return inflateSync(body, { maxOutputLength: Math.max(1, bytes) });
  } catch {
    return null;
  }
}
