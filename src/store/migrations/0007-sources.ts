import { type Kysely, sql } from 'kysely';

const sources = [
  `create table sources (
    id integer primary key,
    key text not null unique,
    type text not null,
    label text not null,
    first_at integer not null,
    not_before integer
  ) strict`,
  `create table source_absences (
    source_id integer not null references sources (id),
    left_at integer not null,
    back_at integer,
    primary key (source_id, left_at)
  ) strict, without rowid`,
  `create table unasked_sources (
    key text primary key,
    at integer not null,
    why text not null
  ) strict`,
  `create table source_runs (
    id integer primary key autoincrement,
    source_id integer not null references sources (id),
    begun_at integer not null,
    ended_at integer,
    outcome text,
    owner text not null,
    claimed_until integer not null,
    why text,
    etag text,
    last_modified text,
    requests integer not null default 0,
    bytes integer not null default 0,
    lines integer not null default 0,
    entered integer not null default 0,
    known integer not null default 0,
    capped integer not null default 0,
    crowded integer not null default 0,
    opted_out integer not null default 0,
    merged integer not null default 0,
    refused integer not null default 0,
    refused_by_reason text not null default '{}',
    check ((ended_at is null) = (outcome is null))
  ) strict`,
  'create index source_runs_of_source on source_runs (source_id, id)',
  'create index source_runs_under_way on source_runs (owner) where outcome is null',
  `create table domain_sources (
    domain_id integer not null references domains (id) on delete cascade,
    source_id integer not null references sources (id),
    first_at integer not null,
    software text,
    primary key (domain_id, source_id)
  ) strict, without rowid`,
  // 0 is no source: hence no foreign key.
  `create table turn_yields (
    line text not null,
    turn integer not null,
    visited integer not null,
    loops integer not null,
    primary key (line, turn)
  ) strict, without rowid`,
];

const lines = [
  'alter table domains add column turn_of integer references sources (id)',
  'alter table domains add column brought_by integer references sources (id)',
  'alter table domains add column last_listed integer',
  'alter table domains add column hinted integer not null default 0',
  'drop index domains_waiting',
  'alter table domains drop column line',
  `alter table domains add column line text generated always as (
    case
      when state = 'opted-out' then null
      when state = 'new' then iif(hinted = 1 and last_visit is null, 'hinted', 'new')
      when state in ('dead', 'gone') then 'dead'
      when conclusive = 'loops' then 'live'
      else 'known'
    end
  ) virtual`,
  `alter table domains add column turn integer generated always as (
    case when state = 'new' then ifnull(turn_of, 0) else 0 end
  ) virtual`,
  // Each line in the order in which it is picked, turn by turn; what is leased or opted out is in none.
  `create index domains_waiting on domains (line, turn, next_visit) where lease_owner is null and line is not null`,
  // What waits for its first visit is counted by source, in the index alone: computed columns would be computed from the rows.
  'create index domains_unvisited on domains (turn_of, last_visit) where last_visit is null',
];

const crowds = [
  // Of a registrable domain, what each source brought is counted in the index alone.
  'drop index domains_registrable_domain',
  'create index domains_registrable_domain on domains (registrable_domain, brought_by)',
];

const names = [
  // By these the other names of an instance are found.
  'create index domains_alias_of on domains (alias_of) where alias_of is not null',
  'create index domains_points_to on domains (points_to) where points_to is not null',
];

/** Where domains come from: sources, their runs, and who lists what; new domains wait by source, and those said to be Loops apart. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of [sources, lines, crowds, names].flat()) await sql.raw(statement).execute(db);
}
