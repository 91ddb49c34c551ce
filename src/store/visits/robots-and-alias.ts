import { sql } from 'kysely';
import type { Domain } from '../../model/domain/domain.ts';
import { type Compiler, prepare, type QueryParameter } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import type { Store } from '../store.ts';

/** Reads what earlier visits of a domain recorded for the next one: the last robots.txt, and the redirect of the last visit. */
export function createRobotsAndAliasReader(sqlite: Sqlite, db: Compiler): Pick<Store, 'cachedRobots' | 'aliasOf'> {
  const robots = prepare(sqlite, (parameter: QueryParameter<{ domain: Domain }>) =>
    db
      .selectFrom('robots')
      .innerJoin('domains', 'domains.id', 'robots.domain_id')
      .select(['read_at', 'body'])
      .where('domain', '=', parameter('domain')),
  );
  const alias = prepare(sqlite, (parameter: QueryParameter<{ domain: Domain }>) =>
    db
      .selectFrom('domains')
      .select(['alias_of as to', 'last_visit as at'])
      .where('domain', '=', parameter('domain'))
      .where('verdict', '=', sql.lit('alias' as const)),
  );
  return {
    cachedRobots: (domain) => {
      const row = robots.get({ domain });
      return row === undefined ? null : { readAt: row.read_at, body: row.body };
    },
    aliasOf: (domain) => {
      const { to, at } = alias.get({ domain }) ?? { to: null, at: null };
      return to === null || at === null ? null : { to, at };
    },
  };
}
