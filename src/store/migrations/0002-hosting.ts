import { type Kysely, sql } from 'kysely';

const columns = ['address text', 'country text', 'asn integer', 'network text', 'behind text'];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of columns) await sql.raw(`alter table domains add column ${column}`).execute(db);
}
