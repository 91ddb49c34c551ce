import { IS_CONCLUSIVE } from '../read/read-uptime.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import { type Cut, type LogOrder, NEWEST_FIRST } from './as-of-cut.ts';

/** Where each column is read from: the last visit of the domain, the reschedule after it, or the last conclusive visit. */
const FROM_LOG: Readonly<Record<string, string>> = {
  state: `coalesce(reschedule.state, visit.state, 'new')`,
  verdict: 'visit.verdict',
  reason: 'visit.reason',
  identified_as: 'conclusive.verdict',
  via: 'conclusive.via',
  software: 'conclusive.software',
  version: 'conclusive.version',
  alias_of: 'conclusive.alias_of',
  canonical_host: 'conclusive.canonical_host',
  last_visit: 'visit.at',
  last_seen: 'case when visit.last_seen is null then visit.at else nullif(visit.last_seen, 0) end',
  next_visit:
    'case when reschedule.id is not null then reschedule.next_visit when visit.id is not null then visit.next_visit else domain.first_seen end',
  noindex: 'visit.noindex',
  noindex_by: 'null',
};
/** A past state has no due domains, so the columns that order them are null. */
const WITHOUT_DUE_ORDER: Readonly<Record<string, string>> = {
  lane: 'null',
  due_order: 'null',
};

/**
 * SQL that selects columns of domains as of a cut of the log (`@at`, `@visitId`), with the alias `domain`. Columns that only scheduling
 * uses (such as `failures` and `state_why`) have their current values.
 *
 * @param order the order of the log: by time, which uses an index, or by id, which is also correct where a clock was set back.
 */
export function selectPastDomains(columns: readonly string[], order: LogOrder = 'time'): string {
  const newestFirst = NEWEST_FIRST[order];
  const expressions = columns.map((column) => {
    const fromLog = FROM_LOG[column];
    if (fromLog === undefined) return `${WITHOUT_DUE_ORDER[column] ?? `domain.${column}`} as ${column}`;
    return `${fromLog} as ${column}`;
  });
  const last = (
    condition: string,
  ) => `(select id from main.visits where domain_id = domain.id and at <= @at and id <= @visitId
    ${condition} order by ${newestFirst} limit 1)`;
  return `select ${expressions.join(', ')}
    from main.domains as domain
    left join main.visits as visit on visit.id = ${last('')}
    left join main.visits as conclusive on conclusive.id = ${last(`and ${IS_CONCLUSIVE}`)}
    left join main.reschedules as reschedule on reschedule.after_visit_id >= ifnull(visit.id, 0) and reschedule.id =
      (select id from main.reschedules where domain_id = domain.id and at <= @at and after_visit_id <= @visitId order by ${newestFirst} limit 1)`;
}

/**
 * Replaces `domains` with a temporary table of the domains as of a cut, for this connection only. A current noindex signal also hides the
 * domain from every past state, as an opt-out does.
 *
 * @param everLoops includes only the domains that ever were Loops or an alias, which suffice for the directory.
 */
export function showPastDomains(sqlite: Sqlite, { at, visitId }: Cut, everLoops: boolean): void {
  const restriction = everLoops
    ? `and (domain.was_ever_loops = 1 or domain.identified_as = 'alias' or domain.id in
        (select domain_id from main.changes where field = 'identifiedAs' and from_value = '"alias"'))`
    : '';
  const columns = sqlite.prepare<[], string>(`select name from pragma_table_xinfo('domains', 'main')`).pluck().all();
  const select = `${selectPastDomains(columns)} where domain.first_seen <= @at ${restriction} order by domain.domain`;
  sqlite.exec(`
    create temp table domains as ${select.replaceAll('@at', String(at)).replaceAll('@visitId', String(visitId))};
    create unique index temp.domains_id on domains (id);
    create unique index temp.domains_domain on domains (domain);
    create index temp.domains_registrable_domain on domains (registrable_domain);
    create index temp.domains_alias_of on domains (alias_of) where alias_of is not null;
    create index temp.domains_canonical_host on domains (canonical_host) where canonical_host is not null;
    update temp.domains set noindex = 1 where id in (select id from main.domains where noindex = 1);
    create index temp.domains_ever_loops on domains (domain) where was_ever_loops = 1;
    create temp view leases as select * from main.leases where false;
    create index temp.domains_listed on domains (domain) where identified_as = 'loops' and state in ('active', 'failing');
  `);
}
