import type { Insertable } from 'kysely';
import { findDomainChanges } from '../../model/domain-changes.ts';
import type { CachedRobots, DomainRecord } from '../../model/domain-record.ts';
import type { OptOutSet } from '../../model/opt-outs/opt-out-names.ts';
import { leadsToOptedOut, refersToOptedOut } from '../../model/opt-outs/opted-out-references.ts';
import { type Priority, priorityAfterVisit } from '../../model/priority.ts';
import type { Visit } from '../../model/visit.ts';
import { orderByNextVisit, type PickedDomain } from '../domains/pick-domains.ts';
import { ChangeLog } from '../history/changes.ts';
import type { RobotsTable, VisitStepsTable, VisitsTable } from '../schema/tables.ts';
import { type Database, Rows } from '../sqlite/database.ts';
import { type QueryParameter, queryParameters } from '../sqlite/prepare.ts';
import { Documents } from './documents.ts';
import { type DomainColumns, toDomainColumns, updatedColumns } from './domain-row.ts';
import { Gaps } from './gaps.ts';
import { Instances } from './instances.ts';
import { UsageCounts } from './usage.ts';

/** A visit of a picked domain, and the record of the domain after the visit. */
export interface RecordedVisit {
  readonly picked: PickedDomain;
  readonly visit: Visit;
  readonly after: DomainRecord;
}

type NewVisit = Required<Omit<Insertable<VisitsTable>, 'id'>>;
type DomainUpdate = DomainColumns & { id: number; priority: Priority; order: number };

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

/** The columns that a visit sets when another was requested during it. */
const foundColumns = updatedColumns.filter((column) => column !== 'next_visit' && column !== 'next_visit_why');

/** The visits, and what they find: the domains and facts that they update, and the history of changes. */
export class Visits extends Rows {
  readonly #optOuts: OptOutSet;
  readonly #instances = new Instances(this.database);
  readonly #changes = new ChangeLog(this.database);
  readonly #usage = new UsageCounts(this.database);
  readonly #documents = new Documents(this.database);
  readonly #gaps = new Gaps(this.database);
  readonly #endProgress = this.database.prepare((db, parameter: QueryParameter<{ id: number }>) =>
    db.deleteFrom('in_progress').where('domain_id', '=', parameter('id')).returning('is_requested'),
  );
  readonly #findState = this.database.prepare((db, parameter: QueryParameter<{ id: number }>) =>
    db.selectFrom('domains').select(['state', 'failures']).where('id', '=', parameter('id')),
  );
  readonly #updateDomain = this.database.prepare((db, parameter: QueryParameter<DomainUpdate>) =>
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
  );
  /** Another visit was requested during this one, so the domain stays due as that request made it. */
  readonly #updateRequestedDomain = this.database.prepare((db, parameter: QueryParameter<DomainUpdate>) =>
    db
      .updateTable('domains')
      .set({ ...queryParameters(parameter, foundColumns), crashes: 0 })
      .where('id', '=', parameter('id')),
  );
  readonly #insert = this.database.prepare((db, parameter: QueryParameter<NewVisit>) =>
    db.insertInto('visits').values(queryParameters(parameter, visitColumns)).returning('id'),
  );
  readonly #insertSteps = this.database.prepare((db, parameter: QueryParameter<VisitStepsTable>) =>
    db.insertInto('visit_steps').values(queryParameters(parameter, ['visit_id', 'steps'])),
  );
  readonly #replaceRobots = this.database.prepare((db, parameter: QueryParameter<RobotsTable>) => {
    const robots = queryParameters(parameter, ['read_at', 'body']);
    return db
      .insertInto('robots')
      .values({ domain_id: parameter('domain_id'), ...robots })
      .onConflict((conflict) => conflict.column('domain_id').doUpdateSet(robots));
  });
  readonly #findRobots = this.database.prepare((db, parameter: QueryParameter<{ id: number }>) =>
    db.selectFrom('robots').select(['read_at', 'body']).where('domain_id', '=', parameter('id')),
  );

  constructor(database: Database, optOuts: OptOutSet) {
    super(database);
    this.#optOuts = optOuts;
  }

  /**
   * Records visits in one transaction. Returns those that it does not record: of domains that are no longer in progress, because they opted
   * out, and those that are repeated: of domains whose state or failures a user reset since, and those that lead to a host that has opted out since.
   */
  record(results: readonly RecordedVisit[]): RecordedVisit[] {
    if (results.length === 0) return [];
    return this.database.write(() => results.filter((result) => !this.#recordOne(result)));
  }

  /** The robots.txt last received from a domain; null when none was. */
  cachedRobots(domainId: number): CachedRobots | null {
    const row = this.database.read(() => this.#findRobots.get({ id: domainId }));
    return row === undefined ? null : { readAt: row.read_at, body: row.body };
  }

  #recordOne({ picked, visit, after }: RecordedVisit): boolean {
    const { id: domainId, record: before } = picked;
    // The domain may have opted out since it was picked; then its row is deleted.
    const progress = this.#endProgress.get({ id: domainId });
    if (progress === undefined) return false;
    const optOuts = this.#optOuts;
    if (leadsToOptedOut(visit, optOuts) || [before, after].some((record) => refersToOptedOut(record, optOuts)))
      return false;
    // `after` was derived from a state that a user has reset since.
    const current = progress.is_requested === 1 ? this.#findState.get({ id: domainId }) : before;
    if (current?.state !== before.state || current.failures !== before.failures) return false;
    this.#gaps.add(visit.at, before.nextVisit);
    const columns = toDomainColumns(after);
    const update = progress.is_requested === 1 ? this.#updateRequestedDomain : this.#updateDomain;
    update.run({
      ...columns,
      id: domainId,
      priority: priorityAfterVisit(after),
      order: orderByNextVisit(after.nextVisit),
    });
    const { at, facts, via } = visit;
    const instanceUpdate = facts === null || via === null ? null : this.#instances.update({ domainId, facts, via, at });
    const documents = this.#writeDocuments(visit);
    const inserted = this.#insert.get({
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
    this.#insertSteps.run({ visit_id: visitId, steps: JSON.stringify(visit.steps) });
    this.#documents.setLatest({ domain_id: domainId, visit_id: visitId, ...documents });
    if (facts !== null) this.#usage.add({ domain_id: domainId, at, visit_id: visitId }, facts.usage);
    const origin = { domainId, at, cause: 'visit', visitId } as const;
    // An outage begins with the first of the failed visits.
    for (const change of findDomainChanges(before, after))
      this.#changes.add([change], change.field === 'state' ? { ...origin, at: after.stateSince } : origin);
    this.#changes.add(instanceUpdate?.changes ?? [], origin);
    if (visit.robots !== null) {
      this.#replaceRobots.run({ domain_id: domainId, read_at: visit.robots.readAt, body: visit.robots.body });
    }
    return true;
  }

  #writeDocuments({ documents: { config, discovery, nodeinfo } }: Visit) {
    const write = (body: Uint8Array | undefined) => (body === undefined ? null : this.#documents.write(body));
    return {
      config_document: write(config),
      discovery_document: write(discovery),
      nodeinfo_document: write(nodeinfo),
    };
  }
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
