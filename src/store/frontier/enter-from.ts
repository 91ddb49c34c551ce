import { sql } from 'kysely';
import type { Domain } from '../../model/domain/domain.ts';
import { registrableDomainOf } from '../../model/domain/registrable-domain.ts';
import type { OptOutSet } from '../../model/opt-outs/opt-out-names.ts';
import { LAST_LISTED_RESOLUTION_MS } from '../retention/drop-never-seen.ts';
import type { DomainSourcesTable } from '../schema/database.ts';
import type { RunStore } from '../sources/source-runs.ts';
import { type Compiler, prepare, type QueryParameter, queryParameters } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import type { Store } from '../store.ts';
import type { Candidate, EntryLimits } from './candidate.ts';
import { newDomain } from './enter-domains.ts';
import { createPerSourceCaps } from './per-source-caps.ts';
import { createSourceQueues } from './source-queues.ts';

/** Candidates per transaction. */
const CHUNK = 1_000;

type Outcome = 'entered' | 'known' | 'queueFull' | 'cappedByDomain' | 'optedOut';
/** A domain's position in a queue of the source; `reported` is 1 in the queue of domains reported to be Loops. */
type Place = { id: number; source: number; reported: number; rank: number };

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
      .select(['rank', 'queued_for_source_id as queuedFor', 'reported_loops as reported'])
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
        reported_loops: parameter('reported'),
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
        reported_loops: parameter('reported'),
        rank: parameter('rank'),
      })
      .where('id', '=', parameter('id')),
  );
  const countPending = prepare(sqlite, (parameter: QueryParameter<{ source: number; most: number }>) =>
    selectPendingCount(db, parameter),
  );
  const caps = createPerSourceCaps(sqlite, db);
  const sourceQueues = createSourceQueues(sqlite, db);

  /** For one transaction: call `enterOne` for each candidate of the source, then `save`. */
  const beginChunk = (source: number, at: number, limits: EntryLimits) => {
    caps.clear();
    const queues = { listed: sourceQueues.open(source, false), reported: sourceQueues.open(source, true) };
    let pending = limits.most === 0 ? 0 : (countPending.get({ source, most: limits.most })?.count ?? 0);
    const isFull = () => limits.most > 0 && pending >= limits.most;

    const enterOne = ({ domain, software: reportedSoftware }: Candidate): Outcome => {
      if (optedOut.has(domain)) return 'optedOut';
      const reported = Number(reportedSoftware === limits.softwareId);
      const queue = reported === 1 ? queues.reported : queues.listed;
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
        // A domain listed by several sources has the best of the ranks that they would give it, so a source that lists everything delays no
        // other source. The ranks of the other domains in the queue that it leaves do not change.
        // Within one source, a domain can only move from the queue of other domains to that of reported ones.
        const isQueuedElsewhere = known.queuedFor !== source;
        if (known.rank === null || queue.nextRank() >= known.rank) return 'known';
        if (isQueuedElsewhere ? isFull() : reported <= known.reported) return 'known';
        requeue.run({ id: known.id, source, reported, rank: queue.take() });
        if (isQueuedElsewhere) pending += 1;
        return 'known';
      }
      if (isFull()) return 'queueFull';
      const registrable = registrableDomainOf(domain);
      const entrant = { domain, registrable, source };
      if (caps.isReached(entrant, limits)) return 'cappedByDomain';
      const row = insert.get({ domain, registrable, at, source, reported, rank: queue.take() });
      if (row === undefined) throw new Error(`SQLite returned no id for ${domain}, which it inserted`);
      addMembership(row.id);
      pending += 1;
      caps.add(entrant);
      return 'entered';
    };
    const save = () => {
      queues.listed.save();
      queues.reported.save();
    };
    return { enterOne, save };
  };

  const enterChunk = sqlite.transaction(
    (run: number, candidates: readonly Candidate[], at: number, limits: EntryLimits) => {
      const chunk = beginChunk(runs.sourceOf(run), at, limits);
      const tally: Record<Outcome, number> = { entered: 0, known: 0, queueFull: 0, cappedByDomain: 0, optedOut: 0 };
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
      for (const outcome of Object.keys(total) as Outcome[]) total[outcome] += tally[outcome];
    }
    return total;
  };
}

/** The number of unvisited domains in the queues of a source, counted up to `most`. */
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
