import type { Cut } from './as-of-cut.ts';
import type { Sqlite } from './sqlite.ts';

/** Facts of a domain that changes tell, by column. */
const TOLD_BY_CHANGES = {
  state: 'state',
  conclusive: 'conclusive',
  via: 'via',
  software: 'software',
  version: 'version',
  alias_of: 'aliasOf',
  points_to: 'pointsTo',
  noindex: 'noindex',
} as const;

type Told = keyof typeof TOLD_BY_CHANGES;

/**
 * Puts a table of the domains as they stood at a past moment in the place of `domains`, for this connection alone; it lies in a
 * temporary file. Of a domain that nothing happened to since, the row is copied. Else what the last visit or the last move before
 * the moment left is taken, and the rest is found by taking back what changed since. Rebuilt is what is published; what only the
 * schedule needs (failures, repeats, reasons in words) is left as it is now.
 *
 * @param everLoops only the domains that ever were Loops by what is known now, or another name of one, which redirects: enough for the
 * directory.
 */
export function showPastDomains(sqlite: Sqlite, { at, visitId, changeId }: Cut, everLoops: boolean): void {
  takeBackChanges(sqlite, changeId);
  const rebuilt = rebuiltColumns();
  const columns = sqlite
    .prepare<[], string>(`select name from pragma_table_xinfo('domains', 'main')`)
    .pluck()
    .all()
    .map((column) => `${rebuilt[column] ?? `domain.${column}`} as ${column}`);
  const isOfInterest = everLoops
    ? `and (known.once_loops = 1 or known.conclusive = 'alias'
        or known.id in (select domain_id from temp.taken_back where conclusive in ('loops', 'alias')))`
    : '';
  sqlite.exec(`
    create temp table standing as
      with found as materialized (
        select known.id as domain_id,
          ${lastVisitOf(`and visits.at <= ${at} and visits.id <= ${visitId}`)} as visit_id,
          ${lastVisitOf('')} as visit_now,
          (select moments.id from main.moments where moments.domain_id = known.id and moments.at <= ${at}
            order by moments.at desc, moments.id desc limit 1) as moment_id,
          exists (select 1 from main.moments where moments.domain_id = known.id and moments.at > ${at}) as is_moved_since
        from main.domains as known where known.first_seen <= ${at} ${isOfInterest}
      )
      select domain_id, visit_id, moment_id, visit_id is visit_now and not is_moved_since as is_as_now from found;
    create unique index temp.standing_domain on standing (domain_id);
    create temp table domains as
      select ${columns.join(', ')}
      from main.domains as domain
      cross join temp.standing as standing on standing.domain_id = domain.id
      left join main.moments as moment on moment.id = standing.moment_id and not standing.is_as_now
      left join main.visits as visit on visit.id = standing.visit_id and not standing.is_as_now
        and visit.id > ifnull(moment.after_visit_id, -1)
      left join temp.since_revised as revised on revised.visit_id = visit.id
      left join temp.taken_back as before on before.domain_id = domain.id
      order by domain.domain;
    drop table temp.standing;
    create unique index temp.domains_id on domains (id);
    create unique index temp.domains_domain on domains (domain);
    create index temp.domains_registrable_domain on domains (registrable_domain);
    create index temp.domains_alias_of on domains (alias_of) where alias_of is not null;
    create index temp.domains_points_to on domains (points_to) where points_to is not null;
    create index temp.domains_listed on domains (domain) where conclusive = 'loops' and state in ('active', 'failing');
    update temp.domains set via = null, software = null, version = null, alias_of = null
      where conclusive is null and coalesce(via, software, version, alias_of) is not null;
  `);
}

function lastVisitOf(condition: string): string {
  return `(select visits.id from main.visits where visits.domain_id = known.id ${condition}
    order by visits.at desc, visits.id desc limit 1)`;
}

/** Of each domain whose facts changed since, what they were: the values from which the first of the later changes led. */
function takeBackChanges(sqlite: Sqlite, changeId: number): void {
  const pivot = Object.entries(TOLD_BY_CHANGES).map(
    ([column, field]) =>
      `max(field = '${field}') as has_${column}, max(case field when '${field}' then value end) as ${column}`,
  );
  const fields = Object.values(TOLD_BY_CHANGES).map((field) => `'${field}'`);
  sqlite.exec(`
    create temp table taken_back as
      select domain_id, ${pivot.join(', ')}
      from (
        select domain_id, field, json_extract(from_value, '$') as value, min(id) as id
        from main.changes where id > ${changeId} and field in (${fields.join(', ')}) group by domain_id, field
      )
      group by domain_id;
    create unique index temp.taken_back_domain on taken_back (domain_id);
  `);
}

/** SQL expressions by column of `domains`; the others are copied. */
function rebuiltColumns(): Readonly<Record<string, string>> {
  /** What a visit left, what a move left, what was before the first of both. */
  const choose = (column: string, ofVisit: string, ofMoment: string, ofNew: string) =>
    `case when standing.is_as_now then domain.${column} when visit.id is not null then ${ofVisit}
      when moment.id is not null then ${ofMoment} else ${ofNew} end`;
  const takenBack = (column: Told) => `case when before.has_${column} then before.${column} else domain.${column} end`;
  const told = (column: Told) => choose(column, takenBack(column), `moment.${column}`, 'null');
  const decided = (column: 'verdict' | 'reason') =>
    choose(
      column,
      `case when revised.visit_id is null then visit.${column} else revised.${column} end`,
      `moment.${column}`,
      'null',
    );
  // Of visits from before it was kept, it is the last that succeeded.
  const lastSeen = `case
    when visit.recorded_ms is null then (
      select max(visits.at) from main.visits where visits.domain_id = domain.id and visits.at <= visit.at
        and not (visits.verdict = 'unreachable' or visits.reason = 'forbidden-address'
          or (visits.verdict = 'unidentified' and domain.once_loops = 1)))
    when visit.last_seen is null then visit.at
    else nullif(visit.last_seen, 0) end`;
  return {
    state: choose('state', `ifnull(visit.state, ${takenBack('state')})`, 'moment.state', `'new'`),
    verdict: decided('verdict'),
    reason: decided('reason'),
    conclusive: told('conclusive'),
    via: told('via'),
    software: told('software'),
    version: told('version'),
    alias_of: told('alias_of'),
    points_to: told('points_to'),
    noindex: choose(
      'noindex',
      `case when visit.recorded_ms is null then ${takenBack('noindex')} else visit.noindex end`,
      'moment.noindex',
      'null',
    ),
    noindex_by: `case when standing.is_as_now then domain.noindex_by end`,
    last_visit: choose('last_visit', 'visit.at', 'moment.last_visit', 'null'),
    last_seen: choose('last_seen', lastSeen, 'moment.last_seen', 'null'),
    next_visit: choose('next_visit', 'visit.next_visit', 'moment.next_visit', 'domain.first_seen'),
    lease_owner: 'null',
    lease_token: 'null',
    lease_expires: 'null',
    lane: 'null',
    due_order: 'null',
  };
}
