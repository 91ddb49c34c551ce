import { sql } from 'kysely';
import type { Domain } from '../../model/domain/domain.ts';
import { type OptOutSet, REDACTED_NAME } from '../../model/opt-outs/opt-out-names.ts';
import { published } from '../read/listed.ts';
import { type Compiler, type Placeholder, prepare } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';

/** Creates {@link StoreReader.isRedacted}. */
export function createRedactionReader(sqlite: Sqlite, db: Compiler, optedOut: OptOutSet): (domain: string) => boolean {
  const find = prepare(sqlite, (value: Placeholder<{ domain: string }>) =>
    db
      .selectFrom('domains')
      .select(published.as('is_published'))
      .where('domain', '=', sql<Domain>`${value('domain')}`),
  );
  return (domain) => {
    if (domain === REDACTED_NAME) return false;
    if (optedOut.has(domain)) return true;
    const row = find.get({ domain });
    return row !== undefined && !row.is_published;
  };
}
