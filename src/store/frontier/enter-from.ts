import { sql } from 'kysely';
import type { Domain } from '../../model/domain/domain.ts';
import { registrableDomainOf } from '../../model/domain/registrable-domain.ts';
import type { OptOutSet } from '../../model/opt-outs/opt-out-names.ts';
import { PRIORITY, type Priority } from '../../model/priority.ts';
import { LAST_LISTED_RESOLUTION_MS } from '../retention/drop-never-seen.ts';
import type { DomainSourcesTable } from '../schema/database.ts';
import type { RunStore } from '../sources/source-runs.ts';
import { type Compiler, prepare, type QueryParameter, queryParameters } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import type { Store } from '../store.ts';
import type { Candidate, EntryLimits } from './candidate.ts';
import { newDomain } from './enter-domains.ts';
import { createPerSourceCaps } from './per-source-caps.ts';
import { QueueOrder } from './queue-order.ts';

/** Candidates per transaction. */
const CHUNK = 1_000;

type EntryOutcome = 'entered' | 'known' | 'queueFull' | 'cappedByDomain' | 'optedOut';
/** The place of a domain among the new ones, given by a source. */
type Place = { id: number; source: number; priority: Priority; order: number };

/** Enters the domains that sources list, within their limits, and stores the memberships. */
export function createSourceEntry(
  sqlite: Sqlite,
  db: Compiler,
  { runs, optedOut }: { runs: RunStore; optedOut: OptOutSet },
): Store['enterFrom'] {
  const find = prepare(sqlite, (parameter: QueryParameter<{ domain: Domain; source: number }>) =>
    db
      .selectFrom('domains')
      .leftJoin('domain_sources', (join) =>
        join.onRef('domain_id', '=', 'domains.id').on('source_id', '=', parameter('source')),
      )
      .select(['id', 'state', 'state_since', 'last_listed', 'last_visit'])
      .select(['priority', 'queue_order as order', 'queued_for_source_id as queuedFor'])
      .select(['source_id as listedBy', 'domain_sources.software as lastReported'])
      .where('domain', '=', parameter('domain')),
  );
  type Entry = Omit<Place, 'id'> & { domain: Domain; registrable: string; at: number };
  const insert = prepare(sqlite, (parameter: QueryParameter<Entry>) =>
    db
      .insertInto('domains')
      .values({
        ...newDomain(parameter, 'a source lists it'),
        discovered_by_source_id: parameter('source'),
        queued_for_source_id: parameter('source'),
      })
      .returning('id'),
  );
  const insertMembership = prepare(sqlite, (parameter: QueryParameter<DomainSourcesTable>) =>
    db
      .insertInto('domain_sources')
      .values(queryParameters(parameter, ['domain_id', 'source_id', 'first_at', 'software'])),
  );
  const updateReportedSoftware = prepare(
    sqlite,
    (parameter: QueryParameter<Pick<DomainSourcesTable, 'domain_id' | 'source_id' | 'software'>>) =>
      db
        .updateTable('domain_sources')
        .set({ software: parameter('software') })
        .where('domain_id', '=', parameter('domain_id'))
        .where('source_id', '=', parameter('source_id')),
  );
  const updateLastListed = prepare(sqlite, (parameter: QueryParameter<{ id: number; at: number }>) =>
    db
      .updateTable('domains')
      .set({ last_listed: parameter('at') })
      .where('id', '=', parameter('id')),
  );
  const requeue = prepare(sqlite, (parameter: QueryParameter<Place>) =>
    db
      .updateTable('domains')
      .set({
        queued_for_source_id: parameter('source'),
        priority: parameter('priority'),
        queue_order: parameter('order'),
      })
      .where('id', '=', parameter('id')),
  );
  const countPending = prepare(sqlite, (parameter: QueryParameter<{ source: number; most: number }>) =>
    selectPendingCount(db, parameter),
  );
  const caps = createPerSourceCaps(sqlite, db);
  const order = new QueueOrder(sqlite, db);

  /** For one transaction: call `enterOne` for each candidate of the source, then `save`. */
  const beginChunk = (source: number, at: number, limits: EntryLimits) => {
    caps.clear();
    const queues = {
      [PRIORITY.reported]: order.open(source, PRIORITY.reported),
      [PRIORITY.new]: order.open(source, PRIORITY.new),
    };
    let reportedPlaces = order.reportedPlaces(source);
    let pending = limits.most === 0 ? 0 : (countPending.get({ source, most: limits.most })?.count ?? 0);
    // The reported domains have a limit of their own.
    const isFull = (priority: Priority) => priority === PRIORITY.new && limits.most > 0 && pending >= limits.most;
    const takePlace = (priority: typeof PRIORITY.reported | typeof PRIORITY.new, isPending: boolean) => {
      if (priority === PRIORITY.reported) reportedPlaces -= 1;
      if (!isPending) pending += 1;
      return queues[priority].take();
    };

    const enterOne = ({ domain, software: reportedSoftware }: Candidate): EntryOutcome => {
      if (optedOut.has(domain)) return 'optedOut';
      const isReported = reportedSoftware === limits.softwareId && reportedPlaces > 0;
      const priority = isReported ? PRIORITY.reported : PRIORITY.new;
      const software = storableSoftware(reportedSoftware);
      const addMembership = (id: number) =>
        insertMembership.run({ domain_id: id, source_id: source, first_at: at, software });
      const known = find.get({ domain, source });
      if (known !== undefined) {
        if (known.listedBy === null) addMembership(known.id);
        else if (software !== null && software !== known.lastReported) {
          updateReportedSoftware.run({ domain_id: known.id, source_id: source, software });
        }
        if (
          known.state === 'dead' &&
          at - Math.max(known.state_since, known.last_listed ?? 0) > LAST_LISTED_RESOLUTION_MS
        ) {
          updateLastListed.run({ id: known.id, at });
        }
        // A domain that several sources list has the best of the places that they would give it, so a source that lists everything delays no
        // other source.
        const isWaiting =
          known.last_visit === null && known.priority >= PRIORITY.reported && known.priority <= PRIORITY.new;
        const isEarlier =
          priority < known.priority || (priority === known.priority && queues[priority].next() < known.order);
        const isPending = known.queuedFor === source;
        if (!isWaiting || !isEarlier || (!isPending && isFull(priority))) return 'known';
        requeue.run({ id: known.id, source, priority, order: takePlace(priority, isPending) });
        return 'known';
      }
      if (isFull(priority)) return 'queueFull';
      const registrable = registrableDomainOf(domain);
      const entrant = { domain, registrable, source };
      if (caps.isReached(entrant, limits)) return 'cappedByDomain';
      const row = insert.get({ domain, registrable, at, source, priority, order: takePlace(priority, false) });
      if (row === undefined) throw new Error(`SQLite returned no id for ${domain}, which it inserted`);
      addMembership(row.id);
      caps.add(entrant);
      return 'entered';
    };
    const save = () => {
      for (const queue of Object.values(queues)) queue.save();
    };
    return { enterOne, save };
  };

  const enterChunk = sqlite.transaction(
    (run: number, candidates: readonly Candidate[], at: number, limits: EntryLimits) => {
      const chunk = beginChunk(runs.sourceOf(run), at, limits);
      const tally: Record<EntryOutcome, number> = {
        entered: 0,
        known: 0,
        queueFull: 0,
        cappedByDomain: 0,
        optedOut: 0,
      };
      for (const candidate of candidates) tally[chunk.enterOne(candidate)] += 1;
      chunk.save();
      runs.count(run, tally);
      return tally;
    },
  );
  return (run, candidates, at, limits) => {
    const total = { entered: 0, known: 0, queueFull: 0, cappedByDomain: 0, optedOut: 0 };
    for (let start = 0; start < candidates.length; start += CHUNK) {
      const tally = enterChunk.immediate(run, candidates.slice(start, start + CHUNK), at, limits);
      for (const outcome of Object.keys(total) as EntryOutcome[]) total[outcome] += tally[outcome];
    }
    return total;
  };
}

/** The number of unvisited domains that wait for a source, counted up to `most`. */
export const selectPendingCount = (db: Compiler, parameter: QueryParameter<{ source: number; most: number }>) =>
  db
    .selectFrom(
      db
        .selectFrom('domains')
        .select(sql<number>`1`.as('one'))
        .where('queued_for_source_id', '=', parameter('source'))
        .where('last_visit', 'is', null)
        .limit(parameter('most'))
        .as('pending'),
    )
    .select((row) => row.fn.countAll<number>().as('count'));

/** Null for text with a dot: it could name a host that later opts out. */
function storableSoftware(software: string | null): string | null {
  return software === null || software.includes('.') ? null : software;
}
