import { sql } from 'kysely';
import type { Domain } from '../domain/domain.ts';
import { registrableDomainOf } from '../domain/registrable-domain-of.ts';
import type { Candidate, EntryLimits } from './candidate.ts';
import type { Compiler } from './compiler.ts';
import { createCrowds } from './crowds.ts';
import { LISTED_ANEW_MS } from './drop-unlisted.ts';
import { MET, newDomain } from './enter-domains.ts';
import type { RunKeeper } from './keep-runs.ts';
import { createOptedOutBulkLookUp, type IsOptedOut } from './opted-out.ts';
import { placeholders } from './placeholders.ts';
import { type Placeholder, prepare } from './prepare.ts';
import type { DomainSourcesTable } from './schema/domain-sources-table.ts';
import type { Sqlite } from './sqlite.ts';
import type { Store } from './store.ts';
import { createWaitingCounts } from './waiting-counts.ts';

/** Candidates taken in one transaction. */
const CHUNK = 1_000;

type Outcome = 'entered' | 'known' | 'capped' | 'crowded' | 'optedOut';

/** Enters what sources list, within their limits, and keeps who lists what. */
export function createSourceEntry(sqlite: Sqlite, db: Compiler, runs: RunKeeper): Store['enterFrom'] {
  const find = prepare(sqlite, (value: Placeholder<{ domain: Domain; source: number }>) =>
    db
      .selectFrom('domains')
      .leftJoin('domain_sources', (join) =>
        join.onRef('domain_id', '=', 'domains.id').on('source_id', '=', value('source')),
      )
      .select(['id', 'state', 'state_since', 'last_listed', 'last_visit', 'turn_of', 'hinted'])
      .select(['source_id as listedBy', 'domain_sources.software as said'])
      .where('domain', '=', value('domain')),
  );
  type Entry = { domain: Domain; registrable: string; at: number; source: number; hinted: number };
  const insert = prepare(sqlite, (value: Placeholder<Entry>) =>
    db
      .insertInto('domains')
      .values({
        ...newDomain(value, MET.listed),
        turn_of: value('source'),
        brought_by: value('source'),
        hinted: value('hinted'),
      })
      .returning('id'),
  );
  const insertMembership = prepare(sqlite, (value: Placeholder<DomainSourcesTable>) =>
    db.insertInto('domain_sources').values(placeholders(value, ['domain_id', 'source_id', 'first_at', 'software'])),
  );
  const sayOtherwise = prepare(
    sqlite,
    (value: Placeholder<Pick<DomainSourcesTable, 'domain_id' | 'source_id' | 'software'>>) =>
      db
        .updateTable('domain_sources')
        .set({ software: value('software') })
        .where('domain_id', '=', value('domain_id'))
        .where('source_id', '=', value('source_id')),
  );
  const hint = prepare(sqlite, (value: Placeholder<{ id: number }>) =>
    db
      .updateTable('domains')
      .set({ hinted: sql.lit(1) })
      .where('id', '=', value('id')),
  );
  const noteListed = prepare(sqlite, (value: Placeholder<{ id: number; at: number }>) =>
    db
      .updateTable('domains')
      .set({ last_listed: value('at') })
      .where('id', '=', value('id')),
  );
  const move = prepare(sqlite, (value: Placeholder<{ id: number; source: number }>) =>
    db
      .updateTable('domains')
      .set({ turn_of: value('source') })
      .where('id', '=', value('id')),
  );

  const waiting = createWaitingCounts(sqlite, db);
  const crowds = createCrowds(sqlite, db);
  const lookUpOptedOut = createOptedOutBulkLookUp(sqlite, db);
  /** What several sources list waits for the one that has fewer waiting: one that lists everything delays nobody else's. */
  const moveIfSooner = (id: number, from: number, to: number, most: number, at: number) => {
    if (from === to || waiting.isFull(to, most, at) || !waiting.isShorter(to, from, at)) return;
    move.run({ id, source: to });
    waiting.add(from, -1);
    waiting.add(to, 1);
  };
  type Entering = { at: number; source: number; limits: EntryLimits; isOptedOut: IsOptedOut };
  const enterOne = (candidate: Candidate, { at, source, limits, isOptedOut }: Entering): Outcome => {
    const { domain } = candidate;
    const hinted = Number(candidate.software === limits.softwareId);
    const software = storable(candidate.software);
    const keep = (id: number) => insertMembership.run({ domain_id: id, source_id: source, first_at: at, software });
    if (isOptedOut(domain)) return 'optedOut';
    const known = find.get({ domain, source });
    if (known !== undefined) {
      if (known.listedBy === null) keep(known.id);
      else if (software !== null && software !== known.said) {
        sayOtherwise.run({ domain_id: known.id, source_id: source, software });
      }
      if (known.state === 'dead' && at - Math.max(known.state_since, known.last_listed ?? 0) > LISTED_ANEW_MS) {
        noteListed.run({ id: known.id, at });
      }
      if (known.last_visit !== null) return 'known';
      if (hinted > known.hinted) hint.run({ id: known.id });
      moveIfSooner(known.id, known.turn_of ?? 0, source, limits.most, at);
      return 'known';
    }
    if (waiting.isFull(source, limits.most, at)) return 'capped';
    const registrable = registrableDomainOf(domain);
    const entrant = { domain, registrable, source };
    if (crowds.isCrowded(entrant, limits)) return 'crowded';
    const row = insert.get({ domain, registrable, at, source, hinted });
    if (row === undefined) throw new Error(`SQLite returned no id for ${domain}, which it inserted`);
    keep(row.id);
    waiting.add(source, 1);
    crowds.add(entrant);
    return 'entered';
  };

  /** The last run of each source that entered anything. */
  const lastRun = new Map<number, number>();
  const enterChunk = sqlite.transaction(
    (run: number, candidates: readonly Candidate[], at: number, limits: EntryLimits) => {
      const source = runs.sourceOf(run);
      if (lastRun.get(source) !== run) waiting.drop(source);
      lastRun.set(source, run);
      crowds.drop();
      const tally: Record<Outcome, number> = { entered: 0, known: 0, capped: 0, crowded: 0, optedOut: 0 };
      const entering = { at, source, limits, isOptedOut: lookUpOptedOut() };
      for (const candidate of candidates) tally[enterOne(candidate, entering)] += 1;
      runs.count(run, tally);
      return tally;
    },
  );
  return (run, candidates, at, limits) => {
    const total = { entered: 0, known: 0, capped: 0, crowded: 0, optedOut: 0 };
    for (let start = 0; start < candidates.length; start += CHUNK) {
      const tally = enterChunk.immediate(run, candidates.slice(start, start + CHUNK), at, limits);
      for (const outcome of Object.keys(total) as Outcome[]) total[outcome] += tally[outcome];
    }
    return total;
  };
}

/** What has a dot could name a host, which may opt out one day. */
function storable(software: string | null): string | null {
  return software === null || software.includes('.') ? null : software;
}
