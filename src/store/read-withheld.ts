import { sql } from 'kysely';
import type { Domain } from '../domain/domain.ts';
import { type OptOutSet, REDACTED_NAME } from '../domain/opt-out-names.ts';
import type { Compiler } from './compiler.ts';
import { type Placeholder, prepare } from './prepare.ts';
import { published } from './published.ts';
import type { Sqlite } from './sqlite.ts';

/** Answers whether an opt-out covers a domain, or it is known and nothing may be published of it. */
export function createWithheldReader(sqlite: Sqlite, db: Compiler, optedOut: OptOutSet): (domain: string) => boolean {
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
