import { sql } from 'kysely';
import type { Domain } from '../../model/domain/domain.ts';
import type { KeptRobots } from '../../model/kept-robots.ts';
import type { KnownAlias } from '../../model/known-alias.ts';
import type { Compiler } from '../sqlite/compiler.ts';
import { type Placeholder, prepare } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';

/** What a visit or the reading of a source needs to know of what was recorded before. */
export interface LookUp {
  robots(domain: Domain): KeptRobots | null;
  aliasOf(domain: Domain): KnownAlias | null;
}

export function createLookUp(sqlite: Sqlite, db: Compiler): LookUp {
  const robots = prepare(sqlite, (value: Placeholder<{ domain: Domain }>) =>
    db
      .selectFrom('robots')
      .innerJoin('domains', 'domains.id', 'robots.domain_id')
      .select(['read_at', 'body'])
      .where('domain', '=', value('domain')),
  );
  const alias = prepare(sqlite, (value: Placeholder<{ domain: Domain }>) =>
    db
      .selectFrom('domains')
      .select(['alias_of as to', 'last_visit as at'])
      .where('domain', '=', value('domain'))
      .where('verdict', '=', sql.lit('alias' as const)),
  );
  return {
    robots: (domain) => {
      const row = robots.get({ domain });
      return row === undefined ? null : { readAt: row.read_at, body: row.body };
    },
    aliasOf: (domain) => {
      const { to, at } = alias.get({ domain }) ?? { to: null, at: null };
      return to === null || at === null ? null : { to, at };
    },
  };
}
