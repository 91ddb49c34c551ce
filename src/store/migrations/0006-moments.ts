import { type Kysely, sql } from 'kysely';

const visits = [
  // When it was recorded, in milliseconds after its start: from then on it was in what was published. Of earlier visits null.
  'alter table visits add column recorded_ms integer',
  // Of the domain after the visit: null when it is the start of the visit itself, 0 when it was never seen.
  'alter table visits add column last_seen integer',
  'alter table visits add column noindex integer',
];

const moments = [
  `create table moments (
    id integer primary key,
    domain_id integer not null references domains (id) on delete cascade,
    at integer not null,
    after_visit_id integer not null,
    state text not null,
    verdict text,
    reason text,
    conclusive text,
    via text,
    software text,
    version text,
    alias_of text,
    last_visit integer,
    last_seen integer,
    next_visit integer,
    noindex integer,
    points_to text
  ) strict`,
  'create index moments_of_domain on moments (domain_id, at)',
];

const revisedVisits = [
  `create table revised_visits (
    visit_id integer not null,
    revised_at integer not null,
    domain_id integer not null references domains (id) on delete cascade,
    verdict text not null,
    reason text not null,
    via text,
    software text,
    version text,
    alias_of text,
    facts_id integer references fact_sets (id),
    kept_facts_id integer references fact_sets (id),
    users integer,
    active_month integer,
    active_halfyear integer,
    posts integer,
    primary key (visit_id, revised_at)
  ) strict, without rowid`,
  'create index revised_visits_of_domain on revised_visits (domain_id)',
  ...['facts_id', 'kept_facts_id'].map(
    (column) => `create index revised_visits_${column} on revised_visits (${column}) where ${column} is not null`,
  ),
];

const releases = [
  'create table releases (at integer primary key, version text not null) strict',
  `insert into releases (at, version)
    select json_extract(value, '$.at'), json_extract(value, '$.version') from notes where key = 'newest-release'`,
];

/** What is needed to tell how a domain stood at any moment: what no visit moved, and what a replay replaced. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of [visits, moments, revisedVisits, releases].flat()) await sql.raw(statement).execute(db);
}
