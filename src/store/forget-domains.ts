import { sql } from 'kysely';
import type { Domain } from '../domain/domain.ts';
import type { Compiler } from './compiler.ts';
import { documentColumns, documentsOf } from './document-columns.ts';
import { createOptOutMaker } from './opt-out-domains.ts';
import type { LiveOptOuts } from './opted-out.ts';
import { type Placeholder, prepare } from './prepare.ts';
import { createPurgeNotes } from './purge-notes.ts';
import { createStoredRedactor } from './redact-stored.ts';
import { createOrphanRemover } from './remove-orphans.ts';
import { scrub } from './scrub.ts';
import type { Sqlite } from './sqlite.ts';
import type { Store } from './store.ts';

/** Domains opted out in one transaction. */
const CHUNK = 500;
/** Visits deleted at a time. */
const VISITS = 100;
/** A transaction keeps other writers waiting: it deletes domain after domain until this is over. */
const MOST_MS = 5;
/** Between two transactions, for other writers. The thread sleeps, so that forgetting stays one synchronous call. */
const PAUSE_MS = 2;

type OfDomain = { id: number };

/**
 * Opts domains out and purges what is stored of them. First the opt-outs are committed, which ends any lease and refuses a visit that is
 * under way; then everything else goes, in short transactions. An interrupted purge is noted, and finished by the next.
 */
export function createForgetting(
  sqlite: Sqlite,
  db: Compiler,
  {
    owner,
    enter,
    optedOut,
    isDead,
  }: { owner: string; enter: Store['enter']; optedOut: LiveOptOuts; isDead: (owner: string) => boolean },
): Pick<Store, 'forget' | 'isPurgeCutShort'> {
  const maker = createOptOutMaker(sqlite, db, { enter });
  const notes = createPurgeNotes(sqlite, db);
  const everyone = sqlite.prepare<[], Domain>(`select domain from domains where state = 'opted-out'`).pluck();
  const visits = prepare(sqlite, (value: Placeholder<OfDomain>) =>
    db
      .selectFrom('visits')
      .select(['id', 'facts_id', 'kept_facts_id', ...documentColumns])
      .where('domain_id', '=', value('id'))
      .limit(sql.lit(VISITS)),
  );
  const facts = prepare(sqlite, (value: Placeholder<OfDomain>) =>
    db.deleteFrom('facts').where('domain_id', '=', value('id')).returning('facts_id'),
  );
  const latest = prepare(sqlite, (value: Placeholder<OfDomain>) =>
    db.deleteFrom('latest_documents').where('domain_id', '=', value('id')).returning(documentColumns),
  );
  const deleteVisit = prepare(sqlite, (value: Placeholder<{ id: number }>) =>
    db.deleteFrom('visits').where('id', '=', value('id')),
  );
  const whole = (['usage', 'changes', 'robots', 'reschedules', 'domain_sources'] as const).map((table) =>
    prepare(sqlite, (value: Placeholder<OfDomain>) => db.deleteFrom(table).where('domain_id', '=', value('id'))),
  );
  const orphans = createOrphanRemover(sqlite, db);
  const pause = () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  };
  const redactStored = createStoredRedactor(sqlite, optedOut, pause);

  const begin = sqlite.transaction((domains: readonly Domain[], at: number) => {
    notes.begin(owner);
    notes.addUnpublished();
    return maker.optOut(domains, at);
  });
  const drop = sqlite.transaction((ids: readonly number[]) => maker.dropCovered(ids));
  const end = sqlite.transaction((owners: readonly string[]) => notes.end(owners));
  const cutShort = () => notes.owners().filter((other) => other !== owner && isDead(other));
  /** Answers whether nothing is left. */
  const purgeSome = (id: number): boolean => {
    const rows = visits.all({ id });
    for (const row of rows) deleteVisit.run({ id: row.id });
    const factSets = rows.flatMap((row) => [row.facts_id, row.kept_facts_id]);
    const documents = documentsOf(rows);
    const isLast = rows.length < VISITS;
    if (isLast) {
      factSets.push(...facts.all({ id }).map(({ facts_id }) => facts_id));
      documents.push(...documentsOf(latest.all({ id })));
      for (const table of whole) table.run({ id });
    }
    orphans.removeFactSets(factSets);
    orphans.removeDocuments(documents);
    return isLast;
  };
  const purgeForAWhile = sqlite.transaction((left: number[]) => {
    const until = performance.now() + MOST_MS;
    for (let id = left.at(-1); id !== undefined && performance.now() < until; id = left.at(-1)) {
      if (purgeSome(id)) left.pop();
    }
  });

  function forget(domains: readonly Domain[], at: number) {
    const asked = new Set(domains);
    const already: Domain[] = [];
    const ids = new Set<number>();
    // An interrupted purge is not noted by domain, so all are purged again.
    const others = cutShort();
    const purged = new Set(others.length === 0 ? asked : [...asked, ...everyone.all()]);
    for (const some of chunksOf([...purged])) {
      const made = begin.immediate(some, at);
      already.push(...made.already.filter((domain) => asked.has(domain)));
      for (const id of made.ids) ids.add(id);
      pause();
    }
    optedOut.refresh();
    for (const left = [...ids]; left.length > 0; pause()) purgeForAWhile.immediate(left);
    redactStored();
    for (const some of chunksOf([...ids])) {
      drop.immediate(some);
      pause();
    }
    optedOut.refresh();
    end.immediate([owner, ...others]);
    return { already, isScrubbed: scrub(sqlite) };
  }

  return { forget, isPurgeCutShort: () => cutShort().length > 0 };
}

function* chunksOf<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let start = 0; start < items.length; start += CHUNK) yield items.slice(start, start + CHUNK);
}
