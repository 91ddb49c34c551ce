import { type Kysely, sql } from 'kysely';

const statements = [
  // Computed by SQLite from what it depends on, so that it can never be wrong.
  `alter table domains add column line text generated always as (
    case
      when state = 'opted-out' then null
      when state = 'new' then 'new'
      when state in ('dead', 'gone') then 'dead'
      when conclusive = 'loops' then 'live'
      else 'known'
    end
  ) virtual`,
  // Each line in the order in which it is picked; what is leased or opted out is in none.
  `create index domains_waiting on domains (line, next_visit) where lease_owner is null and line is not null`,
  'drop index domains_due',
];

/** Due domains wait in lines, so that none of these can starve another. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
