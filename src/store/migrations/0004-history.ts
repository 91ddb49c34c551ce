import { type Kysely, sql } from 'kysely';

const withoutUsage = `json_remove(facts, '$.usage')`;
const countOf = (name: string) => `cast(json_extract(facts, '$.usage.${name}') as integer)`;
const counts = ['users', 'activeMonth', 'activeHalfyear', 'posts'].map(countOf).join(', ');
const anyDocument = 'coalesce(config_document, discovery_document, nodeinfo_document) is not null';

const usageRead = `cast(round(unixepoch(json_extract(facts, '$.usage.asOf'), 'subsec') * 1000) as integer)`;

const domains = [
  `alter table domains add column state_since integer not null default 0`,
  `alter table domains add column state_why text not null default ''`,
  `update domains set
    state_since = ifnull(last_visit, first_seen),
    state_why = 'recorded before transitions were kept'`,
];

const factSets = [
  `create table fact_sets (id integer primary key, facts text not null unique) strict`,
  `insert or ignore into fact_sets (facts) select ${withoutUsage} from visits where facts is not null order by id`,
  `insert or ignore into fact_sets (facts) select ${withoutUsage} from facts order by domain_id`,
];

const usage = [
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
  `insert into usage select domain_id, at, id, ${counts} from visits
    where facts is not null and coalesce(${counts}) is not null`,
];

const latestDocuments = [
  `create table latest_documents (
    domain_id integer primary key references domains (id) on delete cascade,
    visit_id integer not null,
    config_document integer references documents (id),
    discovery_document integer references documents (id),
    nodeinfo_document integer references documents (id)
  ) strict`,
  // Beside max(), SQLite takes the other columns from the row that has the maximum.
  `insert into latest_documents
    select domain_id, max(id), config_document, discovery_document, nodeinfo_document
    from visits where ${anyDocument} group by domain_id`,
];

/** Visits made before kept the facts that they read but for the counts, so what was kept after each is what it read. */
const visits = [
  `create table visits_with_history (
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
    retry_after_ms integer,
    state text,
    next_visit integer,
    facts_id integer references fact_sets (id),
    kept_facts_id integer references fact_sets (id),
    config_document integer references documents (id),
    discovery_document integer references documents (id),
    nodeinfo_document integer references documents (id)
  ) strict`,
  `insert into visits_with_history (
      id, domain_id, at, duration_ms, verdict, reason, via, software, version, alias_of, retry_after_ms,
      facts_id, kept_facts_id, config_document, discovery_document, nodeinfo_document)
    select visits.id, domain_id, at, duration_ms, verdict, reason, via, software, version, alias_of, retry_after_ms,
      fact_sets.id, fact_sets.id, config_document, discovery_document, nodeinfo_document
    from visits left join fact_sets on fact_sets.facts = json_remove(visits.facts, '$.usage')
    order by visits.id`,
  // To drop a table deletes its rows first, and with them what refers to them: hence by way of a copy.
  `create table steps_of_visits as select id, steps from visits`,
  `drop table visits`,
  `alter table visits_with_history rename to visits`,
  // Steps go long before their visits do: rows of their own leave whole pages free, cleared columns would leave holes.
  `create table visit_steps (
    visit_id integer primary key references visits (id) on delete cascade,
    steps text not null
  ) strict`,
  `insert into visit_steps select id, steps from steps_of_visits order by id`,
  `drop table steps_of_visits`,
];

const facts = [
  `create table facts_with_ages (
    domain_id integer primary key references domains (id) on delete cascade,
    facts_id integer not null references fact_sets (id),
    usage text not null,
    checked_at integer not null,
    read_at text not null
  ) strict`,
  // Every known fact was read by the visit that is kept as `checked_at`; only counts can be from an earlier one.
  `insert into facts_with_ages
    select domain_id, fact_sets.id, json_extract(kept.facts, '$.usage'), checked_at,
      case when usage_read <> checked_at then json_object('usage', usage_read) else '{}' end
    from (select domain_id, facts, checked_at, ${usageRead} as usage_read from facts) as kept
    join fact_sets on fact_sets.facts = json_remove(kept.facts, '$.usage')`,
  `drop table facts`,
  `alter table facts_with_ages rename to facts`,
];

const changes = [
  // Visits go after a time, changes stay: hence no foreign key.
  `create table changes (
    id integer primary key,
    domain_id integer not null references domains (id) on delete cascade,
    at integer not null,
    field text not null,
    from_value text,
    to_value text,
    why text,
    cause text not null,
    visit_id integer
  ) strict`,
  `create table notes (key text primary key, value text not null) strict, without rowid`,
];

const partial = (table: string, column: string) =>
  `create index ${table}_${column} on ${table} (${column}) where ${column} is not null`;
const documentColumns = ['config_document', 'discovery_document', 'nodeinfo_document'];
const indexes = [
  // With the plan and the outcome in it, how often a domain was up is read from the index alone: 1 the visit succeeded, 0 it failed,
  // 2 it failed if the domain once was Loops, null it says nothing of the host. 0, 1 and null take no space there.
  `create index visits_of_domain on visits (domain_id, at, next_visit, (
    case
      when reason = 'forbidden-address' then null
      when verdict = 'unreachable' then 0
      when verdict = 'unidentified' then 2
      else 1
    end
  ))`,
  `create index changes_of_domain on changes (domain_id, at)`,
  // By these it is known without a scan whether a document or a set of facts is referred to by anything.
  ...documentColumns.flatMap((column) => [partial('visits', column), partial('latest_documents', column)]),
  ...['facts_id', 'kept_facts_id'].map((column) => partial('visits', column)),
  partial('facts', 'facts_id'),
];

/** What changed and when, counts as they were read, facts kept once, and what is to outlive the visits. */
export async function up(db: Kysely<never>): Promise<void> {
  const all = [domains, factSets, usage, latestDocuments, visits, facts, changes, indexes];
  for (const statement of all.flat()) await sql.raw(statement).execute(db);
}
