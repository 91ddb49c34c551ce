import { type Kysely, sql } from 'kysely';

const statements = [
  'alter table domains add column ipv4 integer',
  'alter table domains add column ipv6 integer',
  'alter table domains add column tls_expires integer',
  'alter table domains add column noindex integer',
  'alter table domains add column points_to text',
  `create table robots (
    domain_id integer primary key references domains (id) on delete cascade,
    read_at integer not null,
    body blob
  ) strict`,
];

/** What is known of hosts apart from what they run, and the robots.txt of each as it was last read. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) {
    await sql.raw(statement).execute(db);
  }
}
