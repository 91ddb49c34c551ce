import { type Kysely, sql } from 'kysely';

/** Whether anybody has opted out, and when, is found without reading every domain. The name is not in it: it stands in two places as it is. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql.raw(`create index domains_opted_out on domains (state_since) where state = 'opted-out'`).execute(db);
}
