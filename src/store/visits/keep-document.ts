import { hash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { OptOutSet } from '../../model/opt-outs/opt-out-names.ts';
import { bodyNamesOptedOut } from '../../model/opt-outs/redact-names.ts';
import type { DocumentsTable } from '../schema/documents-table.ts';
import type { Compiler } from '../sqlite/compiler.ts';
import { type Placeholder, prepare } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';

/** Below this many bytes deflating saves nothing worth the time. */
const deflateFromBytes = 1_024;
/** Level 1 takes a third of the time of the default and gives up a tenth of the saving. */
const level = 1;

type DocumentRow = Omit<DocumentsTable, 'id'>;

function toDocumentRow(body: Uint8Array, sha256: Uint8Array, isWithheld: boolean): DocumentRow {
  const bytes = body.byteLength;
  if (isWithheld) return { sha256, bytes, deflated: 0, body: null, withheld: 'opted-out' };
  const smaller = bytes < deflateFromBytes ? body : deflateSync(body, { level });
  const deflated = smaller.byteLength < bytes;
  return { sha256, bytes, deflated: deflated ? 1 : 0, body: deflated ? smaller : body, withheld: null };
}

/**
 * Stores a document unless the same bytes are there already; answers its id. Of one that names a host which has opted out, only the hash is
 * kept. Runs inside the caller's transaction.
 */
export type KeepDocument = (body: Uint8Array) => number;

export function createDocumentKeeper(sqlite: Sqlite, db: Compiler, optedOut: OptOutSet): KeepDocument {
  const find = prepare(sqlite, (value: Placeholder<{ sha256: Uint8Array }>) =>
    db.selectFrom('documents').select('id').where('sha256', '=', value('sha256')),
  );
  const insert = prepare(sqlite, (value: Placeholder<DocumentRow>) =>
    db
      .insertInto('documents')
      .values({
        sha256: value('sha256'),
        bytes: value('bytes'),
        deflated: value('deflated'),
        body: value('body'),
        withheld: value('withheld'),
      })
      .returning('id'),
  );
  return (body) => {
    const sha256 = hash('sha256', body, 'buffer');
    const known = find.get({ sha256 });
    if (known !== undefined) return known.id;
    const kept = insert.get(toDocumentRow(body, sha256, bodyNamesOptedOut(body, optedOut)));
    if (kept === undefined) throw new Error('SQLite returned no id for a document that it inserted');
    return kept.id;
  };
}
