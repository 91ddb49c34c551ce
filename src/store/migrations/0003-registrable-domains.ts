import { type Kysely, sql } from 'kysely';

/** How many domains are known of one registrable domain is asked for each host that a redirect leads to. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql.raw('create index domains_registrable_domain on domains (registrable_domain)').execute(db);
}
