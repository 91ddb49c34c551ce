import { sql } from 'kysely';
import type { Domain } from '../domain/domain.ts';
import { createCoverage, optOutScopeOf } from '../domain/opt-out-names.ts';
import type { Compiler } from './compiler.ts';
import { namedHosts } from './named-hosts.ts';
import { type Placeholder, prepare } from './prepare.ts';
import type { Sqlite } from './sqlite.ts';

/** Rows read in one statement; reading takes no lock that a writer waits for. */
const CHUNK = 1_000;
/** So many names are sought in a text by SQLite; for more it is quicker to read what the text names. */
const MOST_SOUGHT = 8;

type Chunk = { from: number };
type Id = { id: number };
/** As JSON, what a text must have in it to be looked at; null: anything. */
type Only = { only: string | null };
type Named = { alias_of: string | null; points_to: string | null };

/**
 * Erases what other domains' rows say of some, and of what an opt-out of these covers: where they redirect or point to, the changes of
 * that, and the steps of visits that name them. All rows are read, in chunks; only those that name one are written. What others say in
 * words is told without the names afterwards.
 */
export function createMentionEraser(sqlite: Sqlite, db: Compiler): (domains: readonly Domain[]) => void {
  const inChunk = (value: Placeholder<Chunk>, id = 'id') =>
    sql<boolean>`${sql.ref(id)} > ${value('from')} and ${sql.ref(id)} <= ${value('from')} + ${sql.lit(CHUNK)}`;
  const mayName = (column: string, only: ReturnType<Placeholder<Only>>) =>
    sql<boolean>`${sql.ref(column)} is not null and (${only} is null
      or exists (select 1 from json_each(${only}) where instr(lower(${sql.ref(column)}), value) > 0))`;

  const domains = prepare(sqlite, (value: Placeholder<Chunk>) =>
    db
      .selectFrom('domains')
      .select(['id', 'alias_of', 'points_to'])
      .where(inChunk(value))
      .where((row) => row.or([row('alias_of', 'is not', null), row('points_to', 'is not', null)])),
  );
  const changes = prepare(sqlite, (value: Placeholder<Chunk>) =>
    db
      .selectFrom('changes')
      .select(['id', 'from_value', 'to_value'])
      .where(inChunk(value))
      .where('field', 'in', [sql.lit('aliasOf' as const), sql.lit('pointsTo' as const)]),
  );
  const visits = prepare(sqlite, (value: Placeholder<Chunk & Only>) =>
    db
      .selectFrom('visits')
      // Keeps SQLite from beginning with `domains`.
      .crossJoin('domains')
      .leftJoin('visit_steps', 'visit_id', 'visits.id')
      .select(['visits.id', 'domains.domain', 'visits.alias_of', 'visits.points_to', 'steps'])
      .whereRef('domains.id', '=', 'visits.domain_id')
      .where(inChunk(value, 'visits.id'))
      .where((row) =>
        row.or([
          row('visits.alias_of', 'is not', null),
          row('visits.points_to', 'is not', null),
          mayName('steps', value('only')),
        ]),
      ),
  );
  const clear = (table: 'domains' | 'visits', column: keyof Named) =>
    prepare(sqlite, (value: Placeholder<Id>) =>
      db
        .updateTable(table)
        .set({ [column]: null })
        .where('id', '=', value('id')),
    );
  const clearValue = (column: 'from_value' | 'to_value') =>
    prepare(sqlite, (value: Placeholder<Id>) =>
      db
        .updateTable('changes')
        .set({ [column]: null })
        .where('id', '=', value('id')),
    );
  const [clearFrom, clearTo] = [clearValue('from_value'), clearValue('to_value')];
  const deleteSteps = prepare(sqlite, (value: Placeholder<Id>) =>
    db.deleteFrom('visit_steps').where('visit_id', '=', value('id')),
  );
  const lastOf = (table: 'domains' | 'changes' | 'visits') =>
    prepare(sqlite, (_value: Placeholder<Record<never, never>>) =>
      db.selectFrom(table).select((row) => row.fn.max('id').as('id')),
    );
  const last = { domains: lastOf('domains'), changes: lastOf('changes'), visits: lastOf('visits') };

  const cleared = {
    domains: { alias_of: clear('domains', 'alias_of'), points_to: clear('domains', 'points_to') },
    visits: { alias_of: clear('visits', 'alias_of'), points_to: clear('visits', 'points_to') },
  };

  return (forgotten) => {
    const isForgotten = createCoverage(forgotten);
    const isNamed = (name: string | null) => name !== null && isForgotten(name);
    // Whatever an opt-out covers has this in it.
    const parts = forgotten.map(optOutScopeOf).map(({ bare, port }) => (port === null ? bare : `${bare}:${port}`));
    const only = parts.length > MOST_SOUGHT ? null : JSON.stringify([...new Set(parts)]);
    const walk = (table: keyof typeof last, each: (from: number) => void): void => {
      const end = last[table].get({})?.id ?? 0;
      for (let from = 0; from < end; from += CHUNK) each(from);
    };
    const eraseOf = (table: keyof typeof cleared, rows: readonly (Id & Named)[]): void => {
      for (const { id, alias_of: alias, points_to: pointsTo } of rows) {
        if (isNamed(alias)) cleared[table].alias_of.run({ id });
        if (isNamed(pointsTo)) cleared[table].points_to.run({ id });
      }
    };
    walk('domains', (from) => eraseOf('domains', domains.all({ from })));
    walk('changes', (from) => {
      for (const { id, from_value: before, to_value: after } of changes.all({ from })) {
        if (isNamed(nameIn(before))) clearFrom.run({ id });
        if (isNamed(nameIn(after))) clearTo.run({ id });
      }
    });
    walk('visits', (from) => {
      const rows = visits.all({ from, only });
      eraseOf('visits', rows);
      for (const { id, domain, steps } of rows)
        if (steps !== null && [...namedHosts(JSON.parse(steps), domain)].some(isForgotten)) deleteSteps.run({ id });
    });
  };
}

/** Of a change, values are JSON: a name, or null. */
function nameIn(value: string | null): string | null {
  const parsed: unknown = value === null ? null : JSON.parse(value);
  return typeof parsed === 'string' ? parsed : null;
}
