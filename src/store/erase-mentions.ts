import { sql } from 'kysely';
import type { Domain } from '../domain/domain.ts';
import type { Compiler } from './compiler.ts';
import { namedHosts } from './named-hosts.ts';
import { type Placeholder, prepare } from './prepare.ts';
import type { Sqlite } from './sqlite.ts';

/** Rows read in one statement; reading takes no lock that a writer waits for. */
const CHUNK = 1_000;

type Chunk = { from: number; only: string };
type Id = { id: number };

/**
 * Erases what other domains' rows say of some: where they redirect or point to, the changes of that, and the steps of visits that name
 * them. All rows are read, in chunks; only those that name one are written. Documents of others are theirs and stay as they came.
 */
export function createMentionEraser(sqlite: Sqlite, db: Compiler): (domains: readonly Domain[]) => void {
  const named = (column: string, only: ReturnType<Placeholder<{ only: string }>>) =>
    sql<boolean>`${sql.ref(column)} in (select value from json_each(${only}))`;
  const quoted = (column: string, only: ReturnType<Placeholder<Chunk>>) =>
    sql<boolean>`${sql.ref(column)} in (select json_quote(value) from json_each(${only}))`;
  const namedIn = (column: string, only: ReturnType<Placeholder<Chunk>>) =>
    sql<boolean>`exists (select 1 from json_each(${only}) where instr(lower(${sql.ref(column)}), value) > 0)`;
  const inChunk = (value: Placeholder<Chunk>, id = 'id') =>
    sql<boolean>`${sql.ref(id)} > ${value('from')} and ${sql.ref(id)} <= ${value('from')} + ${sql.lit(CHUNK)}`;

  const domains = prepare(sqlite, (value: Placeholder<Chunk>) =>
    db
      .selectFrom('domains')
      .select(['id', 'alias_of', 'points_to'])
      .where(inChunk(value))
      .where((row) => row.or([named('alias_of', value('only')), named('points_to', value('only'))])),
  );
  const changes = prepare(sqlite, (value: Placeholder<Chunk>) =>
    db
      .selectFrom('changes')
      .select('id')
      .where(inChunk(value))
      .where('field', 'in', [sql.lit('aliasOf' as const), sql.lit('pointsTo' as const)])
      .where((row) => row.or([quoted('from_value', value('only')), quoted('to_value', value('only'))])),
  );
  const visits = prepare(sqlite, (value: Placeholder<Chunk>) =>
    db
      .selectFrom('visits')
      // Keeps SQLite from beginning with `domains`.
      .crossJoin('domains')
      .leftJoin('visit_steps', 'visit_id', 'visits.id')
      .select(['visits.id', 'domains.domain', 'visits.alias_of', 'steps'])
      .whereRef('domains.id', '=', 'visits.domain_id')
      .where(inChunk(value, 'visits.id'))
      .where((row) => row.or([named('visits.alias_of', value('only')), namedIn('steps', value('only'))])),
  );
  const withoutAlias = prepare(sqlite, (value: Placeholder<Id & { only: string }>) =>
    db
      .updateTable('domains')
      .set({ alias_of: sql`case when ${named('alias_of', value('only'))} then null else alias_of end` })
      .set({ points_to: sql`case when ${named('points_to', value('only'))} then null else points_to end` })
      .where('id', '=', value('id')),
  );
  const withoutValue = prepare(sqlite, (value: Placeholder<Id & { only: string }>) =>
    db
      .updateTable('changes')
      .set({ from_value: sql`case when ${quoted('from_value', value('only'))} then null else from_value end` })
      .set({ to_value: sql`case when ${quoted('to_value', value('only'))} then null else to_value end` })
      .where('id', '=', value('id')),
  );
  const clearAlias = prepare(sqlite, (value: Placeholder<Id>) =>
    db.updateTable('visits').set({ alias_of: null }).where('id', '=', value('id')),
  );
  const deleteSteps = prepare(sqlite, (value: Placeholder<Id>) =>
    db.deleteFrom('visit_steps').where('visit_id', '=', value('id')),
  );
  const lastOf = (table: 'domains' | 'changes' | 'visits') =>
    prepare(sqlite, (_value: Placeholder<Record<never, never>>) =>
      db.selectFrom(table).select((row) => row.fn.max('id').as('id')),
    );
  const last = { domains: lastOf('domains'), changes: lastOf('changes'), visits: lastOf('visits') };

  // Few rows, and most databases have none: they are read whole.
  const past = [
    prepare(sqlite, (value: Placeholder<{ only: string }>) =>
      db
        .updateTable('moments')
        .set({ alias_of: null })
        .where(named('alias_of', value('only'))),
    ),
    prepare(sqlite, (value: Placeholder<{ only: string }>) =>
      db
        .updateTable('moments')
        .set({ points_to: null })
        .where(named('points_to', value('only'))),
    ),
    prepare(sqlite, (value: Placeholder<{ only: string }>) =>
      db
        .updateTable('revised_visits')
        .set({ alias_of: null })
        .where(named('alias_of', value('only'))),
    ),
  ];

  return (forgotten) => {
    const only = JSON.stringify(forgotten);
    const names = new Set<string>(forgotten);
    const isForgotten = (name: string) => names.has(name);
    const walk = (table: keyof typeof last, each: (from: number) => void): void => {
      const end = last[table].get({})?.id ?? 0;
      for (let from = 0; from < end; from += CHUNK) each(from);
    };
    walk('domains', (from) => {
      for (const { id } of domains.all({ from, only })) withoutAlias.run({ id, only });
    });
    walk('changes', (from) => {
      for (const { id } of changes.all({ from, only })) withoutValue.run({ id, only });
    });
    walk('visits', (from) => {
      for (const { id, domain, alias_of: alias, steps } of visits.all({ from, only })) {
        if (steps !== null && [...namedHosts(JSON.parse(steps), domain)].some(isForgotten)) deleteSteps.run({ id });
        if (alias !== null && isForgotten(alias)) clearAlias.run({ id });
      }
    });
    // After the rows that they are copied from.
    for (const erase of past) erase.run({ only });
  };
}
