import type { Selectable } from 'kysely';
import type { FactChange } from '../../model/change.ts';
import type { Domain } from '../../model/domain/domain.ts';
import type { DomainRecord } from '../../model/domain-record.ts';
import type { LoggedVisit } from '../../model/visit.ts';
import { isLeased } from '../frontier/due-domains.ts';
import type { ReschedulesTable, VisitsTable } from '../schema/database.ts';
import { type Compiler, prepare, type QueryParameter, queryParameters } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import type { Correction, ReplayRules } from '../store.ts';
import { type DomainColumns, domainColumns, toDomainRecord, updatedColumns } from '../visits/domain-row.ts';
import { createUsageWriter } from '../visits/usage.ts';
import { selectVisits, toStoredVisit } from '../visits/visit-row.ts';
import { createInstanceWriter } from '../visits/write-instance.ts';
import { type Cut, cutAfter } from './as-of-cut.ts';
import { selectPastDomains } from './as-of-domains.ts';
import { type ChangeOrigin, createChangeWriter, toFactColumn } from './changes.ts';

type OfDomain = { domainId: number };
export type Reschedule = Pick<ReschedulesTable, 'at' | 'after_visit_id' | 'cause' | 'state'> & { id: number };

/** Reads and writes the log of one domain. */
export function createDomainLog(sqlite: Sqlite, db: Compiler) {
  const instances = createInstanceWriter(sqlite, db);
  const writeUsage = createUsageWriter(sqlite, db);
  const writeChanges = createChangeWriter(sqlite, db);
  const find = prepare(sqlite, (parameter: QueryParameter<Pick<DomainColumns, 'domain'>>) =>
    db
      .selectFrom('domains')
      .select([...domainColumns, 'id', isLeased.as('isLeased')])
      .where('domain', '=', parameter('domain')),
  );
  const updateDomain = prepare(sqlite, (parameter: QueryParameter<DomainColumns>) =>
    db.updateTable('domains').set(queryParameters(parameter, updatedColumns)).where('domain', '=', parameter('domain')),
  );
  const startOf = prepare(sqlite, (parameter: QueryParameter<OfDomain & { id: number }>) =>
    db
      .selectFrom('visits')
      .select('at')
      .where('id', '=', parameter('id'))
      .where('domain_id', '=', parameter('domainId')),
  );
  const prepareVisitUpdate = <Column extends keyof VisitsTable>(columns: readonly Column[]) =>
    prepare(sqlite, (parameter: QueryParameter<Pick<Selectable<VisitsTable>, Column | 'id'>>) =>
      db.updateTable('visits').set(queryParameters(parameter, columns)).where('id', '=', parameter('id')),
    );
  const setResult = prepareVisitUpdate([
    'verdict',
    'reason',
    'via',
    'software',
    'version',
    'alias_of',
    'canonical_host',
    'facts_id',
  ]);
  /** The values that a visit set on its domain. */
  const setDomainValues = prepareVisitUpdate(['state', 'last_seen', 'merged_facts_id']);
  const deleteUsage = sqlite.prepare('delete from usage where domain_id = ? and at = ? and visit_id = ?');
  const insertCorrection = sqlite.prepare(
    'insert or ignore into corrections (visit_id, recorded_at, replaced) values (?, ?, ?)',
  );
  const setRescheduleState = sqlite.prepare<[Reschedule['state'], number]>(
    'update reschedules set state = ? where id = ?',
  );
  const visits = prepare(sqlite, (parameter: QueryParameter<OfDomain & { id: number }>) =>
    selectVisits(db)
      .select(['visits.state', 'visits.next_visit', 'visits.recorded_ms', 'visits.noindex'])
      .where('visits.domain_id', '=', parameter('domainId'))
      .where('visits.id', '>=', parameter('id'))
      .orderBy('visits.id'),
  );
  const reschedules = prepare(sqlite, (parameter: QueryParameter<OfDomain & { visitId: number }>) =>
    db
      .selectFrom('reschedules')
      .select(['id', 'at', 'after_visit_id', 'cause', 'state'])
      .where('domain_id', '=', parameter('domainId'))
      .where('after_visit_id', '>=', parameter('visitId'))
      .orderBy('id'),
  );
  const pastDomain = sqlite.prepare<[OfDomain & Cut], DomainColumns>(
    `${selectPastDomains(domainColumns, 'id')} where domain.id = @domainId`,
  );
  /** Newest first, back to the last time that a user added the domain. */
  const earlierVisits = sqlite.prepare<[OfDomain & Cut], Pick<VisitsTable, 'at' | 'verdict' | 'reason'>>(
    `select at, verdict, reason from visits where domain_id = @domainId and id <= @visitId and id >
        (select ifnull(max(after_visit_id), 0) from reschedules where domain_id = @domainId and cause = 'added' and after_visit_id <= @visitId)
      order by id desc`,
  );
  const firstLoopsVisit = sqlite
    .prepare<[number], number | null>(`select min(id) from visits where domain_id = ? and verdict = 'loops'`)
    .pluck();
  /** A change without a visit counts as after the visit that preceded its reschedule. */
  const lastStateChange = sqlite.prepare<[OfDomain & Cut], { at: number; why: string }>(
    `select at, ifnull(why, '') as why,
        coalesce(visit_id, (select after_visit_id from reschedules where domain_id = changes.domain_id and at = changes.at), 0) as after
      from changes where domain_id = @domainId and field = 'state' and after <= @visitId
      order by after desc, visit_id is null desc, id desc limit 1`,
  );
  const changesOf = sqlite.prepare<[ChangeEvent], ChangeRow>(
    `select id, field, from_value, to_value from changes
      where domain_id = @domainId and at = @at and visit_id is @visitId`,
  );
  const deleteChange = sqlite.prepare<[number]>('delete from changes where id = ?');

  return {
    find,
    updateDomain,
    setDomainValues,
    setRescheduleState: (id: number, state: Reschedule['state']) => {
      setRescheduleState.run(state, id);
    },
    /** In the order of recording. */
    visitsFrom: (domainId: number, id: number, domain: Domain) =>
      visits.all({ domainId, id }).map((row): LoggedVisit & { id: number } => ({
        ...toStoredVisit(row, domain),
        recordedAt: row.at + row.recorded_ms,
        state: row.state,
        nextVisit: row.next_visit,
        noindex: row.noindex === null ? null : row.noindex === 1,
      })),
    reschedules,
    /** Returns false if the visit does not exist. */
    correct(domainId: number, { visitId, visit, replaced }: Correction, at: number) {
      const row = startOf.get({ id: visitId, domainId });
      if (row === undefined) return false;
      const { facts } = visit;
      setResult.run({
        id: visitId,
        verdict: visit.verdict,
        reason: visit.reason,
        via: visit.via,
        software: visit.software,
        version: visit.version,
        alias_of: visit.aliasOf,
        canonical_host: visit.canonicalHost,
        facts_id: facts === null ? null : instances.storeFacts(facts),
      });
      deleteUsage.run(domainId, row.at, visitId);
      if (facts !== null) writeUsage({ domain_id: domainId, at: row.at, visit_id: visitId }, facts.usage);
      insertCorrection.run(visitId, at, JSON.stringify(replaced));
      return true;
    },
    /** The first stored visit with the verdict `loops`; null when there is none. Call before any correction. */
    firstLoopsVisit: (domainId: number) => firstLoopsVisit.get(domainId) ?? null,
    /** The domain before a visit, with the counts of the earlier visits. */
    recordBefore(
      domainId: number,
      visitId: number,
      { current, firstLoopsId }: { current: DomainRecord; firstLoopsId: number | null },
      rules: ReplayRules,
    ) {
      const cut = { domainId, ...cutAfter(visitId - 1) };
      const row = pastDomain.get(cut);
      if (row === undefined) throw new Error(`${current.domain} is missing`);
      // If no stored visit has the verdict `loops`, a deleted one had it.
      const wasEverLoops = current.wasEverLoops && (firstLoopsId === null || firstLoopsId < visitId);
      const stateChange = lastStateChange.get(cut);
      return {
        ...toDomainRecord(row),
        wasEverLoops,
        stateSince: stateChange?.at ?? current.firstSeen,
        stateWhy: stateChange?.why ?? '',
        ...rules.failureCountsOf(earlierVisits.all(cut), wasEverLoops),
      };
    },
    /** Replaces the changes of one event; unchanged ones keep their ids. */
    reconcile(changes: readonly FactChange[], event: ChangeEvent): void {
      const keyOf = (field: string, from: string | null, to: string | null) => JSON.stringify([field, from, to]);
      const obsolete = new Map(
        changesOf.all(event).map((row) => [keyOf(row.field, row.from_value, row.to_value), row.id]),
      );
      // `delete` returns whether the change is already stored.
      const added = changes.filter(
        ({ field, from, to }) => !obsolete.delete(keyOf(field, toFactColumn(from), toFactColumn(to))),
      );
      for (const id of obsolete.values()) deleteChange.run(id);
      writeChanges(added, { ...event, cause: 'replay' });
    },
  };
}

type ChangeEvent = Pick<ChangeOrigin, 'domainId' | 'at' | 'visitId'>;
interface ChangeRow {
  id: number;
  field: string;
  from_value: string | null;
  to_value: string | null;
}
