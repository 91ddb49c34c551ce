import { type Kysely, sql } from 'kysely';

const domains = [
  // Ids are not reused: after an opt-out, the result of a visit must not be recorded for another domain.
  `create table domains (
    id integer primary key autoincrement,
    domain text not null unique,
    registrable_domain text not null,
    state text not null,
    state_since integer not null default 0,
    state_why text not null default '',
    verdict text,
    reason text,
    identified_as text,
    was_ever_loops integer not null default 0,
    via text,
    software text,
    version text,
    alias_of text,
    canonical_host text,
    first_seen integer not null,
    last_visit integer,
    last_seen integer,
    next_visit integer,
    next_visit_why text,
    failures integer not null default 0,
    failing_since integer,
    consecutive_same_outcome integer not null default 0,
    ipv4 integer,
    ipv6 integer,
    address text,
    country text,
    asn integer,
    network text,
    behind text,
    tls_expires integer,
    noindex integer,
    noindex_by text,
    priority integer not null,
    queue_order integer not null,
    crashes integer not null default 0,
    origin text,
    discovered_by_source_id integer references sources (id),
    queued_for_source_id integer references sources (id),
    last_listed integer
  ) strict`,
  // One row per domain that is being visited. A separate table, so that picking does not rewrite `domains`.
  `create table in_progress (
    domain_id integer primary key references domains (id) on delete cascade,
    is_requested integer not null default 0
  ) strict`,
  // The order of the directory.
  `create index domains_listed on domains (domain) where identified_as = 'loops' and state in ('active', 'failing')`,
  // The order of the instance histories.
  'create index domains_ever_loops on domains (domain) where was_ever_loops = 1',
  // The two orders in which due domains are picked.
  'create index domains_by_priority on domains (priority, queue_order, next_visit)',
  'create index domains_by_next_visit on domains (next_visit)',
  // Counts the unvisited domains of a source from the index alone.
  'create index domains_unvisited on domains (queued_for_source_id, priority, last_visit) where last_visit is null',
  // Counts the domains that a source entered under one registrable domain from the index alone.
  'create index domains_registrable_domain on domains (registrable_domain, discovered_by_source_id)',
  'create index domains_alias_of on domains (alias_of) where alias_of is not null',
  'create index domains_canonical_host on domains (canonical_host) where canonical_host is not null',
  `create table opt_outs (
    id integer primary key autoincrement,
    name text not null unique,
    at integer not null
  ) strict`,
  `create table robots (
    domain_id integer primary key references domains (id) on delete cascade,
    read_at integer not null,
    body blob
  ) strict`,
];

const documents = [
  `create table documents (
    id integer primary key,
    sha256 blob not null unique,
    bytes integer not null,
    deflated integer not null,
    body blob not null
  ) strict`,
  `create table latest_documents (
    domain_id integer primary key references domains (id) on delete cascade,
    visit_id integer not null,
    config_document integer references documents (id),
    discovery_document integer references documents (id),
    nodeinfo_document integer references documents (id)
  ) strict`,
];

const visits = [
  'create table fact_sets (id integer primary key, facts text not null unique) strict',
  `create table visits (
    id integer primary key autoincrement,
    domain_id integer not null references domains (id) on delete cascade,
    at integer not null,
    duration_ms integer not null,
    verdict text not null,
    reason text not null,
    via text,
    software text,
    version text,
    alias_of text,
    canonical_host text,
    state text not null,
    next_visit integer,
    facts_id integer references fact_sets (id),
    config_document integer references documents (id),
    discovery_document integer references documents (id),
    nodeinfo_document integer references documents (id)
  ) strict`,
  // Steps are deleted long before their visits: deleting separate rows frees whole pages.
  `create table visit_steps (
    visit_id integer primary key references visits (id) on delete cascade,
    steps text not null
  ) strict`,
  // Uptime and the last conclusive visit of a domain are read from this index alone. The expression: 0 failed, 1 conclusive,
  // 2 failed if the domain was Loops before, null says nothing about whether the host is up. 0, 1 and null take no space in an index.
  `create index visits_of_domain on visits (domain_id, at, next_visit, (
    case
      when verdict = 'declined' or reason = 'third-party-limit' then null
      when verdict = 'unreachable' then 0
      when verdict = 'unidentified' then 2
      else 1
    end
  ))`,
  `create table usage (
    domain_id integer not null references domains (id) on delete cascade,
    at integer not null,
    visit_id integer not null,
    users integer,
    active_month integer,
    active_halfyear integer,
    posts integer,
    primary key (domain_id, at, visit_id)
  ) strict, without rowid`,
];

const history = [
  `create table facts (
    domain_id integer primary key references domains (id) on delete cascade,
    facts_id integer not null references fact_sets (id),
    usage text not null,
    checked_at integer not null,
    read_at text not null
  ) strict`,
  // No foreign key for visit_id: changes outlive their visits.
  `create table changes (
    id integer primary key autoincrement,
    domain_id integer not null references domains (id) on delete cascade,
    at integer not null,
    field text not null,
    from_value text,
    to_value text,
    why text,
    cause text not null,
    visit_id integer
  ) strict`,
  'create index changes_of_domain on changes (domain_id, at)',
  'create table releases (at integer primary key, version text not null) strict',
  'create table metadata (key text primary key, value text not null) strict, without rowid',
];

const partial = (table: string, column: string) =>
  `create index ${table}_${column} on ${table} (${column}) where ${column} is not null`;

// Used to find unreferenced documents and fact sets without a scan.
const references = [
  ...['config_document', 'discovery_document', 'nodeinfo_document'].flatMap((column) => [
    partial('visits', column),
    partial('latest_documents', column),
  ]),
  partial('visits', 'facts_id'),
  partial('facts', 'facts_id'),
];

const sources = [
  `create table sources (
    id integer primary key,
    key text not null unique,
    type text not null,
    label text not null,
    first_at integer not null,
    not_before integer,
    inactive integer not null default 0
  ) strict`,
  `create table skipped_sources (
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
    why text,
    etag text,
    last_modified text,
    requests integer not null default 0,
    bytes integer not null default 0,
    lines integer not null default 0,
    entered integer not null default 0,
    known integer not null default 0,
    queue_full integer not null default 0,
    capped_by_domain integer not null default 0,
    opted_out integer not null default 0,
    merged integer not null default 0,
    refused integer not null default 0,
    refused_by_reason text not null default '{}',
    check ((ended_at is null) = (outcome is null))
  ) strict`,
  'create index source_runs_of_source on source_runs (source_id, id)',
  'create index source_runs_in_progress on source_runs (id) where outcome is null',
  `create table domain_sources (
    domain_id integer not null references domains (id) on delete cascade,
    source_id integer not null references sources (id),
    first_at integer not null,
    last_at integer not null,
    software text,
    primary key (domain_id, source_id)
  ) strict, without rowid`,
  `create table queue_ends (
    source_id integer not null,
    priority integer not null,
    last_order integer not null,
    primary key (source_id, priority)
  ) strict, without rowid`,
];

/** The whole schema of the first release. */
export async function up(db: Kysely<never>): Promise<void> {
  const statements = [domains, documents, visits, history, references, sources].flat();
  for (const statement of statements) await sql.raw(statement).execute(db);
}
