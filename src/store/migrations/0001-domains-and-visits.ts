import { type Kysely, sql } from 'kysely';

const tables = [
  `create table domains (
    id integer primary key,
    domain text not null unique,
    registrable_domain text not null,
    state text not null,
    verdict text,
    reason text,
    conclusive text,
    once_loops integer not null default 0,
    via text,
    software text,
    version text,
    alias_of text,
    first_seen integer not null,
    last_visit integer,
    last_seen integer,
    next_visit integer,
    next_visit_why text,
    failures integer not null default 0,
    failing_since integer,
    repeats integer not null default 0,
    lease_owner text,
    lease_token integer,
    lease_expires integer,
    leases_lost integer not null default 0,
    check ((lease_owner is null) = (lease_token is null) and (lease_owner is null) = (lease_expires is null))
  ) strict`,
  `create table documents (
    id integer primary key,
    sha256 blob not null unique,
    bytes integer not null,
    deflated integer not null,
    body blob not null
  ) strict`,
  `create table visits (
    id integer primary key,
    domain_id integer not null references domains (id) on delete cascade,
    at integer not null,
    duration_ms integer not null,
    verdict text not null,
    reason text not null,
    via text,
    software text,
    version text,
    alias_of text,
    retry_after_ms integer,
    facts text,
    steps text not null,
    config_document integer references documents (id),
    discovery_document integer references documents (id),
    nodeinfo_document integer references documents (id)
  ) strict`,
  `create table facts (
    domain_id integer primary key references domains (id) on delete cascade,
    facts text not null,
    checked_at integer not null
  ) strict`,
];

const indexes = [
  // Due domains in the order in which they are picked; what is leased or opted out is not in it.
  `create index domains_due on domains (next_visit) where lease_owner is null and state <> 'opted-out'`,
  `create index domains_lease_owner on domains (lease_owner) where lease_owner is not null`,
  `create index domains_lease_expires on domains (lease_expires) where lease_owner is not null`,
  `create index domains_lost_leases on domains (next_visit) where leases_lost > 0`,
  // The directory, in its order.
  `create index domains_listed on domains (domain) where conclusive = 'loops' and state in ('active', 'failing')`,
  `create index visits_of_domain on visits (domain_id, at)`,
];

/** Domains with their leases, visits, latest facts, and the documents that were received. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of [...tables, ...indexes]) {
    await sql.raw(statement).execute(db);
  }
}
