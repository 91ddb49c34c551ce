import { hash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { sql } from 'kysely';
import type { Withholding } from '../domain/withhold-names.ts';
import type { Compiler } from './compiler.ts';
import { documentColumns } from './document-columns.ts';
import { type DocumentRow, toDocumentRow } from './keep-document.ts';
import { type Placeholder, prepare } from './prepare.ts';
import type { Sqlite } from './sqlite.ts';

/** Bodies held at a time. */
const CHUNK = 50;

/**
 * Puts away the names of those who have opted out from every stored document: a changed one keeps its place, or goes where the same bytes
 * are stored already, and what refers to it goes along. Each in a transaction of its own. One that cannot be read any more stays.
 */
export function createDocumentWithholder(sqlite: Sqlite, db: Compiler): (withholding: Withholding) => void {
  const some = prepare(sqlite, (value: Placeholder<{ from: number }>) =>
    db.selectFrom('documents').selectAll().where('id', '>', value('from')).orderBy('id').limit(sql.lit(CHUNK)),
  );
  const find = prepare(sqlite, (value: Placeholder<{ sha256: Uint8Array }>) =>
    db.selectFrom('documents').select('id').where('sha256', '=', value('sha256')),
  );
  const replace = prepare(sqlite, (value: Placeholder<DocumentRow & { id: number }>) =>
    db
      .updateTable('documents')
      .set({
        sha256: value('sha256'),
        bytes: value('bytes'),
        deflated: value('deflated'),
        body: value('body'),
      })
      .where('id', '=', value('id')),
  );
  const remove = prepare(sqlite, (value: Placeholder<{ id: number }>) =>
    db.deleteFrom('documents').where('id', '=', value('id')),
  );
  const refer = (['visits', 'latest_documents'] as const).flatMap((table) =>
    documentColumns.map((column) =>
      prepare(sqlite, (value: Placeholder<{ from: number; to: number }>) =>
        db
          .updateTable(table)
          .set({ [column]: value('to') })
          .where(column, '=', value('from'))
          // A partial index over what is not null is used only when the query says so.
          .where(column, 'is not', null),
      ),
    ),
  );
  const move = sqlite.transaction((id: number, before: Uint8Array, after: DocumentRow) => {
    // What was read may have gone meanwhile, and its number be another's.
    if (find.get({ sha256: before })?.id !== id) return;
    const same = find.get({ sha256: after.sha256 })?.id;
    if (same === undefined) replace.run({ id, ...after });
    else {
      for (const each of refer) each.run({ from: id, to: same });
      remove.run({ id });
    }
  });

  return ({ inBody }) => {
    for (let from = 0, rows = some.all({ from }); rows.length > 0; rows = some.all({ from })) {
      for (const row of rows) {
        from = row.id;
        const body = bodyOf(row);
        const told = body === null ? body : inBody(body);
        if (told !== null && told !== body)
          move.immediate(row.id, row.sha256, toDocumentRow(told, hash('sha256', told, 'buffer')));
      }
    }
  };
}

/** Null where it does not inflate: a replay says so. */
function bodyOf({ body, bytes, deflated }: DocumentRow): Uint8Array | null {
  if (deflated === 0) return body;
  try {
    return inflateSync(body, { maxOutputLength: Math.max(1, bytes) });
  } catch {
    return null;
  }
}
