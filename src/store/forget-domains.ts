import { sql } from 'kysely';
import type { Domain } from '../domain/domain.ts';
import type { Compiler } from './compiler.ts';
import { documentColumns, documentsOf } from './document-columns.ts';
import { createMentionEraser } from './erase-mentions.ts';
import { createSourceEraser } from './erase-sources.ts';
import { createOptOutMaker } from './opt-out-domains.ts';
import { type Placeholder, prepare } from './prepare.ts';
import { createPurgeNotes } from './purge-notes.ts';
import { createOrphanRemover } from './remove-orphans.ts';
import { scrub } from './scrub.ts';
import type { Sqlite } from './sqlite.ts';
import type { Store } from './store.ts';
import { createStoredWithholder } from './withhold-stored.ts';

/** Rows deleted in one transaction. */
const CHUNK = 200;

type OfDomain = { id: number };

/**
 * Opts domains out and purges what is stored of them. First the opt-out is committed, which ends any lease and refuses a visit that is
 * under way; then everything else goes, in short transactions. Cut short, it is finished by forgetting again, and it is noted that it was.
 */
export function createForgetting(
  sqlite: Sqlite,
  db: Compiler,
  { owner, enter, isDead }: { owner: string; enter: Store['enter']; isDead: (owner: string) => boolean },
): Pick<Store, 'forget' | 'isPurgeCutShort'> {
  const maker = createOptOutMaker(sqlite, db, { enter });
  const notes = createPurgeNotes(sqlite, db);
  const optedOut = prepare(sqlite, (_value: Placeholder<Record<never, never>>) =>
    db
      .selectFrom('domains')
      .select('domain')
      .where('state', '=', sql.lit('opted-out' as const)),
  );
  const visits = prepare(sqlite, (value: Placeholder<OfDomain>) =>
    db
      .selectFrom('visits')
      .select(['id', 'facts_id', 'kept_facts_id', ...documentColumns])
      .where('domain_id', '=', value('id'))
      .limit(sql.lit(CHUNK)),
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
  const eraseMentions = createMentionEraser(sqlite, db);
  const eraseOfSources = createSourceEraser(sqlite, db);
  const withholdStored = createStoredWithholder(sqlite, db);

  const begin = sqlite.transaction((domains: readonly Domain[], at: number) => {
    notes.begin(owner);
    notes.addUnpublished();
    return maker.optOut(domains, at);
  });
  const drop = sqlite.transaction((ids: readonly number[]) => maker.dropCovered(ids));
  const end = sqlite.transaction((owners: readonly string[]) => notes.end(owners));
  const cutShort = () => notes.owners().filter((other) => other !== owner && isDead(other));
  const deleteSomeVisits = sqlite.transaction((id: number): boolean => {
    const rows = visits.all({ id });
    for (const row of rows) deleteVisit.run({ id: row.id });
    orphans.removeDocuments(documentsOf(rows));
    orphans.removeFactSets(rows.flatMap((row) => [row.facts_id, row.kept_facts_id]));
    return rows.length === CHUNK;
  });
  const deleteRest = sqlite.transaction((id: number) => {
    const factSets = facts.all({ id }).map(({ facts_id }) => facts_id);
    const documents = documentsOf(latest.all({ id }));
    for (const table of whole) table.run({ id });
    orphans.removeFactSets(factSets);
    orphans.removeDocuments(documents);
  });

  function forget(domains: readonly Domain[], at: number) {
    const asked = new Set(domains);
    const already: Domain[] = [];
    const ids = new Set<number>();
    // What others left undone is done as well; whose it was is not known, so it is looked for of all.
    const others = cutShort();
    const purged = new Set(others.length === 0 ? asked : [...asked, ...optedOut.all({}).map(({ domain }) => domain)]);
    for (const some of chunksOf([...purged])) {
      const made = begin.immediate(some, at);
      already.push(...made.already.filter((domain) => asked.has(domain)));
      for (const id of made.ids) ids.add(id);
    }
    for (const id of ids) {
      // What is kept goes first: it refers to the same documents and facts as the visits do.
      deleteRest.immediate(id);
      while (deleteSomeVisits.immediate(id));
    }
    eraseMentions([...purged]);
    eraseOfSources([...purged]);
    withholdStored();
    for (const some of chunksOf([...ids])) drop.immediate(some);
    end.immediate([owner, ...others]);
    return { already, isScrubbed: scrub(sqlite) };
  }

  return { forget, isPurgeCutShort: () => cutShort().length > 0 };
}

function* chunksOf<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let start = 0; start < items.length; start += CHUNK) yield items.slice(start, start + CHUNK);
}
