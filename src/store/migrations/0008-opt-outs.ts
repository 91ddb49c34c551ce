import { type Kysely, sql } from 'kysely';

const statements = [
  // Whether anybody has opted out, and when, is found without reading every domain. The name is not in it: it stands in two places as it is.
  `create index domains_opted_out on domains (state_since) where state = 'opted-out'`,
  // Opt-outs of before covered one name each: what else they cover is still to be purged, as if a process had died over it.
  `insert into notes (key, value)
    select 'purge-under-way', json_object('owners', json_array('an earlier version'))
    where exists (select 1 from domains where state = 'opted-out')`,
];

/** Opt-outs cover a host at every port and its www. twin. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
