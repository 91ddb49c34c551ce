import type { Insertable } from 'kysely';
import { findDomainChanges } from '../../model/domain-changes.ts';
import type { OptOutSet } from '../../model/opt-outs/opt-out-names.ts';
import { leadsToOptedOut, refersToOptedOut } from '../../model/opt-outs/opted-out-references.ts';
import { type Priority, priorityAfterVisit } from '../../model/priority.ts';
import type { Visit } from '../../model/visit.ts';
import { orderByNextVisit } from '../frontier/pick-domains.ts';
import { createChangeWriter } from '../history/changes.ts';
import type { RobotsTable, VisitStepsTable, VisitsTable } from '../schema/database.ts';
import { type Compiler, prepare, type QueryParameter, queryParameters } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import type { RecordedVisit, Store } from '../store.ts';
import { createLatestDocumentsWriter, type WriteDocument } from './documents.ts';
import { type DomainColumns, toDomainColumns, updatedColumns } from './domain-row.ts';
import { createUsageWriter } from './usage.ts';
import { createInstanceWriter } from './write-instance.ts';

type NewVisit = Required<Omit<Insertable<VisitsTable>, 'id'>>;

/** Records visits, the domains and facts that they update, and the history of changes. */
export function createVisitRecorder(
  sqlite: Sqlite,
  db: Compiler,
  { writeDocument, optedOut }: { writeDocument: WriteDocument; optedOut: OptOutSet },
): Store['record'] {
  const endProgress = prepare(sqlite, (parameter: QueryParameter<{ id: number }>) =>
    db.deleteFrom('in_progress').where('domain_id', '=', parameter('id')).returning('is_requested'),
  );
  const findState = prepare(sqlite, (parameter: QueryParameter<{ id: number }>) =>
    db.selectFrom('domains').select(['state', 'failures']).where('id', '=', parameter('id')),
  );
  const { updateDomain, updateRequestedDomain } = prepareDomainUpdates(sqlite, db);
  const insertVisit = prepareVisitInsert(sqlite, db);
  const instances = createInstanceWriter(sqlite, db);
  const writeChanges = createChangeWriter(sqlite, db);
  const writeUsage = createUsageWriter(sqlite, db);
  const writeLatestDocuments = createLatestDocumentsWriter(sqlite, db);
  const insertSteps = prepare(sqlite, (parameter: QueryParameter<VisitStepsTable>) =>
    db.insertInto('visit_steps').values(queryParameters(parameter, ['visit_id', 'steps'])),
  );
  const replaceRobots = prepare(sqlite, (parameter: QueryParameter<RobotsTable>) => {
    const robots = queryParameters(parameter, ['read_at', 'body']);
    return db
      .insertInto('robots')
      .values({ domain_id: parameter('domain_id'), ...robots })
      .onConflict((conflict) => conflict.column('domain_id').doUpdateSet(robots));
  });

  const recordOne = (result: RecordedVisit): boolean => {
    const { picked, visit, after } = result;
    const { id: domainId, record: before } = picked;
    // The domain may have opted out since it was picked; then its row is deleted.
    const progress = endProgress.get({ id: domainId });
    if (progress === undefined) return false;
    if (leadsToOptedOut(visit, optedOut) || [before, after].some((record) => refersToOptedOut(record, optedOut)))
      return false;
    // `after` was derived from a state that a user has reset since.
    const current = progress.is_requested === 1 ? findState.get({ id: domainId }) : before;
    if (current?.state !== before.state || current.failures !== before.failures) return false;
    const columns = toDomainColumns(after);
    const update = progress.is_requested === 1 ? updateRequestedDomain : updateDomain;
    update.run({
      ...columns,
      id: domainId,
      priority: priorityAfterVisit(after),
      order: orderByNextVisit(after.nextVisit),
    });
    const { at, facts, via } = visit;
    const instanceUpdate = facts === null || via === null ? null : instances.update({ domainId, facts, via, at });
    const documents = writeDocuments(visit, writeDocument);
    const inserted = insertVisit.get({
      ...toVisitRow(visit),
      canonical_host: visit.verdict === 'loops' ? columns.canonical_host : null,
      ...documents,
      domain_id: domainId,
      state: after.state,
      next_visit: after.nextVisit,
      facts_id: instanceUpdate?.factsId ?? null,
    });
    if (inserted === undefined) throw new Error('SQLite returned no id for a visit that it inserted');
    const visitId = inserted.id;
    insertSteps.run({ visit_id: visitId, steps: JSON.stringify(visit.steps) });
    writeLatestDocuments({ domain_id: domainId, visit_id: visitId, ...documents });
    if (facts !== null) writeUsage({ domain_id: domainId, at, visit_id: visitId }, facts.usage);
    const origin = { domainId, at, cause: 'visit', visitId } as const;
    // An outage begins with the first of the failed visits.
    for (const change of findDomainChanges(before, after))
      writeChanges([change], change.field === 'state' ? { ...origin, at: after.stateSince } : origin);
    writeChanges(instanceUpdate?.changes ?? [], origin);
    if (visit.robots !== null) {
      replaceRobots.run({ domain_id: domainId, read_at: visit.robots.readAt, body: visit.robots.body });
    }
    return true;
  };
  const record = sqlite.transaction((results: readonly RecordedVisit[]) => {
    return results.filter((result) => !recordOne(result));
  });
  return (results) => (results.length === 0 ? [] : record.immediate(results));
}

function writeDocuments({ documents: { config, discovery, nodeinfo } }: Visit, writeDocument: WriteDocument) {
  return {
    config_document: config === undefined ? null : writeDocument(config),
    discovery_document: discovery === undefined ? null : writeDocument(discovery),
    nodeinfo_document: nodeinfo === undefined ? null : writeDocument(nodeinfo),
  };
}

function toVisitRow(visit: Visit) {
  return {
    at: visit.at,
    duration_ms: visit.durationMs,
    verdict: visit.verdict,
    reason: visit.reason,
    via: visit.via,
    software: visit.software,
    version: visit.version,
    alias_of: visit.aliasOf,
  };
}

function prepareDomainUpdates(sqlite: Sqlite, db: Compiler) {
  type Update = DomainColumns & { id: number; priority: Priority; order: number };
  const found = updatedColumns.filter((column) => column !== 'next_visit' && column !== 'next_visit_why');
  return {
    updateDomain: prepare(sqlite, (parameter: QueryParameter<Update>) =>
      db
        .updateTable('domains')
        .set({
          ...queryParameters(parameter, updatedColumns),
          priority: parameter('priority'),
          queue_order: parameter('order'),
          crashes: 0,
          origin: null,
        })
        .where('id', '=', parameter('id')),
    ),
    /** Another visit was requested during this one, so the domain stays due as that request made it. */
    updateRequestedDomain: prepare(sqlite, (parameter: QueryParameter<Update>) =>
      db
        .updateTable('domains')
        .set({ ...queryParameters(parameter, found), crashes: 0 })
        .where('id', '=', parameter('id')),
    ),
  };
}

const visitColumns = [
  'domain_id',
  'at',
  'duration_ms',
  'verdict',
  'reason',
  'via',
  'software',
  'version',
  'alias_of',
  'canonical_host',
  'state',
  'next_visit',
  'facts_id',
  'config_document',
  'discovery_document',
  'nodeinfo_document',
] as const satisfies readonly (keyof NewVisit)[];

function prepareVisitInsert(sqlite: Sqlite, db: Compiler) {
  return prepare(sqlite, (parameter: QueryParameter<NewVisit>) =>
    db.insertInto('visits').values(queryParameters(parameter, visitColumns)).returning('id'),
  );
}
