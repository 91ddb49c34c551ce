import { sql } from 'kysely';
import type { Candidate, Domain } from '../../model/domain/domain.ts';
import { registrableDomainOf } from '../../model/domain/registrable-domain.ts';
import type { OptOutSet } from '../../model/opt-outs/opt-out-names.ts';
import { PRIORITY, type Priority } from '../../model/priority.ts';
import { LAST_LISTED_RESOLUTION_MS } from '../retention/thin.ts';
import type { DomainSourcesTable } from '../schema/tables.ts';
import { type Database, Rows } from '../sqlite/database.ts';
import { countUpTo, type QueryParameter, queryParameters } from '../sqlite/prepare.ts';
import { newDomain } from './domains.ts';
import { type Caps, PerSourceCaps } from './per-source-caps.ts';
import { QueueOrder } from './queue-order.ts';

/** Limits on the domains that one source may enter (0 means no limit), and the software name that marks a domain as Loops. */
export interface EntryLimits extends Caps {
  /** Maximum unvisited domains in the queues of the source; more are entered only if they are reported to be Loops. */
  readonly most: number;
  /** A candidate with exactly this software counts as reported to be Loops. */
  readonly softwareId: string;
}

/** The number of candidates with each result; each candidate has one result. */
export interface EntryCounts {
  readonly entered: number;
  readonly known: number;
  /** Not entered: the queues of the source are full. */
  readonly queueFull: number;
  /** Not entered: the source reached its limit for the registrable domain, or for ports of the host. */
  readonly cappedByDomain: number;
  readonly optedOut: number;
}

/** The place of a domain among the new ones, given by a source. */
type Place = { id: number; source: number; priority: Priority; order: number };
type Entry = Omit<Place, 'id'> & { domain: Domain; registrable: string; at: number; why: string };

/** Enters the domains that sources list, within their limits, and stores the memberships. */
export class SourceEntry extends Rows {
  readonly #optOuts: OptOutSet;
  readonly #caps = new PerSourceCaps(this.database);
  readonly #order = new QueueOrder(this.database);
  readonly #find = this.database.prepare((db, parameter: QueryParameter<{ domain: Domain; source: number }>) =>
    db
      .selectFrom('domains')
      .leftJoin('domain_sources', (join) =>
        join.onRef('domain_id', '=', 'domains.id').on('source_id', '=', parameter('source')),
      )
      .select(['id', 'state', 'state_since', 'last_listed', 'last_visit'])
      .select(['priority', 'queue_order as order', 'queued_for_source_id as queuedFor'])
      .select('source_id as listedBy')
      .where('domain', '=', parameter('domain')),
  );
  readonly #insert = this.database.prepare((db, parameter: QueryParameter<Entry>) =>
    db
      .insertInto('domains')
      .values({
        ...newDomain(parameter),
        discovered_by_source_id: parameter('source'),
        queued_for_source_id: parameter('source'),
      })
      .returning('id'),
  );
  readonly #insertMembership = this.database.prepare((db, parameter: QueryParameter<DomainSourcesTable>) =>
    db
      .insertInto('domain_sources')
      .values(queryParameters(parameter, ['domain_id', 'source_id', 'first_at', 'last_at', 'software'])),
  );
  readonly #updateMembership = this.database.prepare(
    (db, parameter: QueryParameter<Omit<DomainSourcesTable, 'first_at'>>) =>
      db
        .updateTable('domain_sources')
        .set({ last_at: parameter('last_at'), software: sql`ifnull(${parameter('software')}, software)` })
        .where('domain_id', '=', parameter('domain_id'))
        .where('source_id', '=', parameter('source_id')),
  );
  readonly #updateLastListed = this.database.prepare((db, parameter: QueryParameter<{ id: number; at: number }>) =>
    db
      .updateTable('domains')
      .set({ last_listed: parameter('at') })
      .where('id', '=', parameter('id')),
  );
  readonly #requeue = this.database.prepare((db, parameter: QueryParameter<Place>) =>
    db
      .updateTable('domains')
      .set({
        queued_for_source_id: parameter('source'),
        priority: parameter('priority'),
        queue_order: parameter('order'),
      })
      .where('id', '=', parameter('id')),
  );
  /** Counts the unvisited domains that wait for a source, up to `most`. */
  readonly #countPending = this.database.prepare((db, parameter: QueryParameter<{ source: number; most: number }>) =>
    countUpTo(
      db,
      db
        .selectFrom('domains')
        .select('id')
        .where('queued_for_source_id', '=', parameter('source'))
        .where('last_visit', 'is', null),
      parameter('most'),
    ),
  );

  constructor(database: Database, optOuts: OptOutSet) {
    super(database);
    this.#optOuts = optOuts;
  }

  /** Enters candidates of one source. Runs inside the caller's transaction. */
  enter(source: number, candidates: readonly Candidate[], at: number, limits: EntryLimits): EntryCounts {
    this.#caps.clear();
    const queues = {
      [PRIORITY.reported]: this.#order.open(source, PRIORITY.reported),
      [PRIORITY.new]: this.#order.open(source, PRIORITY.new),
    };
    let reportedPlaces = this.#order.reportedPlaces(source);
    let pending = limits.most === 0 ? 0 : (this.#countPending.get({ source, most: limits.most })?.count ?? 0);
    // The reported domains have a limit of their own.
    const isFull = (priority: Priority) => priority === PRIORITY.new && limits.most > 0 && pending >= limits.most;
    const takePlace = (priority: typeof PRIORITY.reported | typeof PRIORITY.new, isPending: boolean) => {
      if (priority === PRIORITY.reported) reportedPlaces -= 1;
      if (!isPending) pending += 1;
      return queues[priority].take();
    };

    const enterOne = ({ domain, software: reportedSoftware }: Candidate): keyof EntryCounts => {
      if (this.#optOuts.has(domain)) return 'optedOut';
      const isReported = reportedSoftware === limits.softwareId && reportedPlaces > 0;
      const priority = isReported ? PRIORITY.reported : PRIORITY.new;
      const software = storableSoftware(reportedSoftware);
      const membership = (id: number) => ({ domain_id: id, source_id: source, last_at: at, software });
      const addMembership = (id: number) => this.#insertMembership.run({ ...membership(id), first_at: at });
      const known = this.#find.get({ domain, source });
      if (known !== undefined) {
        if (known.listedBy === null) addMembership(known.id);
        else this.#updateMembership.run(membership(known.id));
        if (
          known.state === 'dead' &&
          at - Math.max(known.state_since, known.last_listed ?? 0) > LAST_LISTED_RESOLUTION_MS
        ) {
          this.#updateLastListed.run({ id: known.id, at });
        }
        // A domain that several sources list has the best of the places that they would give it, so a source that lists everything delays no
        // other source.
        const isWaiting =
          known.last_visit === null && known.priority >= PRIORITY.reported && known.priority <= PRIORITY.new;
        const isEarlier =
          priority < known.priority || (priority === known.priority && queues[priority].next() < known.order);
        const isPending = known.queuedFor === source;
        if (!isWaiting || !isEarlier || (!isPending && isFull(priority))) return 'known';
        this.#requeue.run({ id: known.id, source, priority, order: takePlace(priority, isPending) });
        return 'known';
      }
      if (isFull(priority)) return 'queueFull';
      const registrable = registrableDomainOf(domain);
      const entrant = { domain, registrable, source };
      if (this.#caps.isReached(entrant, limits)) return 'cappedByDomain';
      const why = 'a source lists it';
      const order = takePlace(priority, false);
      const row = this.#insert.get({ domain, registrable, at, why, source, priority, order });
      if (row === undefined) throw new Error(`SQLite returned no id for ${domain}, which it inserted`);
      addMembership(row.id);
      this.#caps.add(entrant);
      return 'entered';
    };

    const counts = { entered: 0, known: 0, queueFull: 0, cappedByDomain: 0, optedOut: 0 };
    for (const candidate of candidates) counts[enterOne(candidate)] += 1;
    for (const queue of Object.values(queues)) queue.save();
    return counts;
  }
}

/** Null for text with a dot: it could name a host that later opts out. */
function storableSoftware(software: string | null): string | null {
  return software === null || software.includes('.') ? null : software;
}
