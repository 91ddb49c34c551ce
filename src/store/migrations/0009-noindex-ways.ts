import { type Kysely, sql } from 'kysely';

const statements = [
  'alter table domains add column noindex_by text',
  // In which way these ask is not known any more.
  `update domains set noindex_by = 'earlier' where noindex = 1`,
];

/** In which ways hosts ask not to be published: each holds by itself. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
