import type { Insertable } from 'kysely';
import type { InstanceFacts } from '../record/instance.ts';
import { latestFacts } from '../record/latest-facts.ts';
import type { Visit } from '../record/visit.ts';
import type { Compiler } from './compiler.ts';
import { type DomainColumns, toDomainColumns } from './domain-row.ts';
import type { KeepDocument } from './keep-document.ts';
import { type Placeholder, prepare } from './prepare.ts';
import type { FactsTable } from './schema/facts-table.ts';
import type { RobotsTable } from './schema/robots-table.ts';
import type { VisitsTable } from './schema/visits-table.ts';
import type { Sqlite } from './sqlite.ts';
import type { RecordedVisit, Store } from './store.ts';

type NewVisit = Required<Omit<Insertable<VisitsTable>, 'id'>>;

/** Records what the visits of one owner decided. */
export function createVisitRecorder(
  sqlite: Sqlite,
  db: Compiler,
  { owner, keepDocument }: { owner: string; keepDocument: KeepDocument },
): Store['record'] {
  const updateDomain = prepareDomainUpdate(sqlite, db);
  const insertVisit = prepareVisitInsert(sqlite, db);
  const findFacts = prepare(sqlite, (value: Placeholder<Pick<FactsTable, 'domain_id'>>) =>
    db.selectFrom('facts').select('facts').where('domain_id', '=', value('domain_id')),
  );
  const replaceFacts = prepare(sqlite, (value: Placeholder<FactsTable>) => {
    const facts = { facts: value('facts'), checked_at: value('checked_at') };
    return db
      .insertInto('facts')
      .values({ domain_id: value('domain_id'), ...facts })
      .onConflict((conflict) => conflict.column('domain_id').doUpdateSet(facts));
  });

  const replaceRobots = prepare(sqlite, (value: Placeholder<RobotsTable>) => {
    const robots = { read_at: value('read_at'), body: value('body') };
    return db
      .insertInto('robots')
      .values({ domain_id: value('domain_id'), ...robots })
      .onConflict((conflict) => conflict.column('domain_id').doUpdateSet(robots));
  });

  const recordOne = ({ lease, visit, after }: RecordedVisit): boolean => {
    const leased = { owner, token: lease.leaseToken, leased_domain: lease.record.domain };
    const updated = updateDomain.get({ ...toDomainColumns(after), ...leased });
    if (updated === undefined) return false;
    const row = toVisitRow(visit, updated.id, keepDocument);
    insertVisit.run(row);
    if (visit.robots !== null) {
      const { readAt, body } = visit.robots;
      replaceRobots.run({ domain_id: updated.id, read_at: readAt, body });
    }
    if (visit.facts !== null) {
      const latest = latestFacts(factsBefore(updated.id, visit.facts), visit.facts);
      const facts = latest === visit.facts && row.facts !== null ? row.facts : JSON.stringify(latest);
      replaceFacts.run({ domain_id: updated.id, facts, checked_at: visit.at });
    }
    return true;
  };
  /** Looked up only when the visit itself read no counts. */
  const factsBefore = (domainId: number, read: InstanceFacts): InstanceFacts | null => {
    const kept = read.usage.asOf === null ? findFacts.get({ domain_id: domainId }) : undefined;
    return kept === undefined ? null : (JSON.parse(kept.facts) as InstanceFacts);
  };
  const record = sqlite.transaction((results: readonly RecordedVisit[]) => {
    const recorded = results.filter(recordOne).length;
    return { recorded, lost: results.length - recorded };
  });
  return (results) => (results.length === 0 ? { recorded: 0, lost: 0 } : record.immediate(results));
}

function toVisitRow(visit: Visit, domainId: number, keepDocument: KeepDocument): NewVisit {
  const { config, discovery, nodeinfo } = visit.documents;
  return {
    domain_id: domainId,
    at: visit.at,
    duration_ms: visit.durationMs,
    verdict: visit.verdict,
    reason: visit.reason,
    via: visit.via,
    software: visit.software,
    version: visit.version,
    alias_of: visit.aliasOf,
    retry_after_ms: visit.retryAfterMs,
    facts: visit.facts === null ? null : JSON.stringify(visit.facts),
    steps: JSON.stringify(visit.steps),
    config_document: config === undefined ? null : keepDocument(config),
    discovery_document: discovery === undefined ? null : keepDocument(discovery),
    nodeinfo_document: nodeinfo === undefined ? null : keepDocument(nodeinfo),
  };
}

type LeasedColumns = DomainColumns & { owner: string; token: number; leased_domain: DomainColumns['domain'] };

/** Ends the lease and changes what is kept of the domain, but only while the lease is the one that was taken. */
function prepareDomainUpdate(sqlite: Sqlite, db: Compiler) {
  return prepare(sqlite, (value: Placeholder<LeasedColumns>) =>
    db
      .updateTable('domains')
      .set({
        state: value('state'),
        verdict: value('verdict'),
        reason: value('reason'),
        conclusive: value('conclusive'),
        once_loops: value('once_loops'),
        via: value('via'),
        software: value('software'),
        version: value('version'),
        alias_of: value('alias_of'),
        first_seen: value('first_seen'),
        last_visit: value('last_visit'),
        last_seen: value('last_seen'),
        next_visit: value('next_visit'),
        next_visit_why: value('next_visit_why'),
        failures: value('failures'),
        failing_since: value('failing_since'),
        repeats: value('repeats'),
        ipv4: value('ipv4'),
        ipv6: value('ipv6'),
        tls_expires: value('tls_expires'),
        noindex: value('noindex'),
        points_to: value('points_to'),
        lease_owner: null,
        lease_token: null,
        lease_expires: null,
        leases_lost: 0,
      })
      .where('domain', '=', value('leased_domain'))
      .where('lease_owner', '=', value('owner'))
      .where('lease_token', '=', value('token'))
      .returning('id'),
  );
}

function prepareVisitInsert(sqlite: Sqlite, db: Compiler) {
  return prepare(sqlite, (value: Placeholder<NewVisit>) =>
    db.insertInto('visits').values({
      domain_id: value('domain_id'),
      at: value('at'),
      duration_ms: value('duration_ms'),
      verdict: value('verdict'),
      reason: value('reason'),
      via: value('via'),
      software: value('software'),
      version: value('version'),
      alias_of: value('alias_of'),
      retry_after_ms: value('retry_after_ms'),
      facts: value('facts'),
      steps: value('steps'),
      config_document: value('config_document'),
      discovery_document: value('discovery_document'),
      nodeinfo_document: value('nodeinfo_document'),
    }),
  );
}
