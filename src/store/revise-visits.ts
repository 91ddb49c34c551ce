import { domainChanges } from '../record/domain-changes.ts';
import type { DomainRecord } from '../record/domain-record.ts';
import type { Compiler } from './compiler.ts';
import {
  type DomainColumns,
  decidedColumns,
  qualifiedDomainColumns,
  toDomainColumns,
  toDomainRecord,
} from './domain-row.ts';
import { createChangeKeeper } from './keep-changes.ts';
import { createInstanceKeeper } from './keep-instance.ts';
import { createMomentKeeper } from './keep-moment.ts';
import { createRevisedVisitKeeper } from './keep-revised-visit.ts';
import { createUsageKeeper } from './keep-usage.ts';
import { createOptedOutOmission } from './omit-opted-out.ts';
import { placeholders } from './placeholders.ts';
import { type Placeholder, prepare } from './prepare.ts';
import type { UsageTable } from './schema/usage-table.ts';
import type { VisitsTable } from './schema/visits-table.ts';
import type { Sqlite } from './sqlite.ts';
import type { Revision, Store } from './store.ts';
import { withholdKept, withholdSaid } from './withhold-recorded.ts';
import { createStoredWithholding } from './withholding.ts';

/** Records what today's parsers make of the documents of visits. */
export function createVisitReviser(sqlite: Sqlite, db: Compiler): Store['revise'] {
  const instances = createInstanceKeeper(sqlite, db);
  const keepChanges = createChangeKeeper(sqlite, db);
  const keepUsage = createUsageKeeper(sqlite, db);
  const keepMoment = createMomentKeeper(sqlite, db);
  const keepAsItWas = createRevisedVisitKeeper(sqlite, db);
  const { omit, omitOf } = createOptedOutOmission(sqlite, db);
  // A document may have been read before it was told without a name.
  const withholding = createStoredWithholding(sqlite, db);
  const omitAll = (record: DomainRecord) => withholdKept(omitOf(record), withholding);
  const findVisit = prepare(sqlite, (value: Placeholder<{ id: number }>) =>
    db
      .selectFrom('visits')
      .innerJoin('domains', 'domains.id', 'visits.domain_id')
      .select([...qualifiedDomainColumns, 'domain_id', 'visits.at', 'lease_owner'])
      .where('visits.id', '=', value('id')),
  );
  const updateDomain = prepare(sqlite, (value: Placeholder<DomainColumns>) =>
    db.updateTable('domains').set(placeholders(value, decidedColumns)).where('domain', '=', value('domain')),
  );
  const updateVisit = prepareVisitUpdate(sqlite, db);
  const updateKept = prepare(sqlite, (value: Placeholder<Pick<VisitsTable, 'kept_facts_id'> & { id: number }>) =>
    db
      .updateTable('visits')
      .set({ kept_facts_id: value('kept_facts_id') })
      .where('id', '=', value('id')),
  );
  const deleteUsage = prepare(sqlite, (value: Placeholder<Pick<UsageTable, 'domain_id' | 'at' | 'visit_id'>>) =>
    db
      .deleteFrom('usage')
      .where('domain_id', '=', value('domain_id'))
      .where('at', '=', value('at'))
      .where('visit_id', '=', value('visit_id')),
  );

  const reviseOne = ({ visitId, visit: read, after }: Revision, at: number): boolean => {
    const row = findVisit.get({ id: visitId });
    if (row === undefined || row.state === 'opted-out') return false;
    if (after !== null && (row.lease_owner !== null || row.last_visit !== after.lastVisit)) return false;
    const ofVisit = { domain_id: row.domain_id, at: row.at, visit_id: visitId };
    const visit = withholdSaid(read, withholding);
    const { facts, via } = visit;
    keepAsItWas(visitId, at);
    updateVisit.run({
      id: visitId,
      verdict: visit.verdict,
      reason: visit.reason,
      via,
      software: visit.software,
      version: visit.version,
      alias_of: omit(visit.aliasOf),
      facts_id: facts === null ? null : instances.read(facts),
    });
    deleteUsage.run(ofVisit);
    if (facts !== null) keepUsage(ofVisit, facts.usage);
    if (after !== null) {
      const records = { before: omitAll(toDomainRecord(row)), after: omitAll(after) };
      reviseDomain({ visitId, visit, ...records }, { ...ofVisit, revisedAt: at });
    }
    return true;
  };
  const reviseDomain = (
    { visitId, visit: { facts, via }, before, after }: Revision & { before: DomainRecord; after: DomainRecord },
    { domain_id: domainId, at, revisedAt }: { domain_id: number; at: number; revisedAt: number },
  ): void => {
    const found = facts === null || via === null ? null : instances.keep({ domainId, facts, via, at });
    updateKept.run({ id: visitId, kept_facts_id: found?.keptFactsId ?? null });
    updateDomain.run(toDomainColumns(after));
    keepMoment(domainId, revisedAt);
    const origin = { domainId, at: revisedAt, cause: 'replay', visitId } as const;
    keepChanges(domainChanges(before, after), origin);
    keepChanges(found?.changes ?? [], origin);
  };

  const revise = sqlite.transaction((revisions: readonly Revision[], at: number) => {
    const revised = revisions.filter((revision) => reviseOne(revision, at)).length;
    return { revised, left: revisions.length - revised };
  });
  return (revisions, at) => (revisions.length === 0 ? { revised: 0, left: 0 } : revise.immediate(revisions, at));
}

const decided = ['verdict', 'reason', 'via', 'software', 'version', 'alias_of', 'facts_id'] as const;

function prepareVisitUpdate(sqlite: Sqlite, db: Compiler) {
  return prepare(sqlite, (value: Placeholder<Pick<VisitsTable, (typeof decided)[number]> & { id: number }>) =>
    db.updateTable('visits').set(placeholders(value, decided)).where('id', '=', value('id')),
  );
}
