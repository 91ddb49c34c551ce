import { sql } from 'kysely';
import type { Domain } from '../domain/domain.ts';
import type { Compiler } from './compiler.ts';
import { documentColumns, documentsOf } from './document-columns.ts';
import { createMentionEraser } from './erase-mentions.ts';
import { createSourceEraser } from './erase-sources.ts';
import { type Placeholder, prepare } from './prepare.ts';
import { createOrphanRemover } from './remove-orphans.ts';
import type { DomainsTable } from './schema/domains-table.ts';
import { scrub } from './scrub.ts';
import type { Sqlite } from './sqlite.ts';
import type { Store } from './store.ts';

/** Rows deleted in one transaction. */
const CHUNK = 200;

type OfDomain = { id: number };
type OptOut = { id: number; at: number };

/** All columns of a domain that say anything of it, as an opt-out leaves them. */
const nothing = {
  verdict: null,
  reason: null,
  conclusive: null,
  once_loops: 0,
  via: null,
  software: null,
  version: null,
  alias_of: null,
  last_visit: null,
  last_seen: null,
  next_visit: null,
  next_visit_why: null,
  failures: 0,
  failing_since: null,
  repeats: 0,
  ipv4: null,
  ipv6: null,
  tls_expires: null,
  noindex: null,
  points_to: null,
  lease_owner: null,
  lease_token: null,
  lease_expires: null,
  leases_lost: 0,
  turn_of: null,
  brought_by: null,
  hinted: 0,
} as const satisfies Partial<Record<keyof DomainsTable, null | 0>>;

/**
 * Opts domains out and purges what is stored of them. First the opt-out is committed, which ends any lease and refuses a visit that is
 * under way; then everything else goes, in short transactions. Cut short, it is finished by forgetting again.
 */
export function createForgetting(sqlite: Sqlite, db: Compiler, { enter }: { enter: Store['enter'] }): Store['forget'] {
  const find = prepare(sqlite, (value: Placeholder<{ domain: Domain }>) =>
    db.selectFrom('domains').select(['id', 'state']).where('domain', '=', value('domain')),
  );
  const optOut = prepare(sqlite, (value: Placeholder<OptOut>) =>
    db
      .updateTable('domains')
      .set({
        ...nothing,
        state: 'opted-out',
        state_why: sql.lit('its owner asked to be forgotten'),
        first_seen: value('at'),
        state_since: value('at'),
      })
      .where('id', '=', value('id'))
      .where('state', '<>', sql.lit('opted-out' as const)),
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
  const revised = prepare(sqlite, (value: Placeholder<OfDomain>) =>
    db.deleteFrom('revised_visits').where('domain_id', '=', value('id')).returning(['facts_id', 'kept_facts_id']),
  );
  const deleteVisit = prepare(sqlite, (value: Placeholder<{ id: number }>) =>
    db.deleteFrom('visits').where('id', '=', value('id')),
  );
  const whole = (['usage', 'changes', 'robots', 'moments', 'domain_sources'] as const).map((table) =>
    prepare(sqlite, (value: Placeholder<OfDomain>) => db.deleteFrom(table).where('domain_id', '=', value('id'))),
  );
  const orphans = createOrphanRemover(sqlite, db);
  const eraseMentions = createMentionEraser(sqlite, db);
  const eraseOfSources = createSourceEraser(sqlite, db);

  const optAllOut = sqlite.transaction((domains: readonly Domain[], at: number) =>
    domains.map((domain) => {
      const row = find.get({ domain });
      if (row === undefined) throw new Error(`${domain} was entered and is not there`);
      return { domain, id: row.id, isNew: optOut.run({ id: row.id, at }) > 0 };
    }),
  );
  const deleteSomeVisits = sqlite.transaction((id: number): boolean => {
    const rows = visits.all({ id });
    for (const row of rows) deleteVisit.run({ id: row.id });
    orphans.removeDocuments(documentsOf(rows));
    orphans.removeFactSets(rows.flatMap((row) => [row.facts_id, row.kept_facts_id]));
    return rows.length === CHUNK;
  });
  const deleteRest = sqlite.transaction((id: number) => {
    const factSets = [
      ...facts.all({ id }).map(({ facts_id }) => facts_id),
      ...revised.all({ id }).flatMap((row) => [row.facts_id, row.kept_facts_id]),
    ];
    const documents = documentsOf(latest.all({ id }));
    for (const table of whole) table.run({ id });
    orphans.removeFactSets(factSets);
    orphans.removeDocuments(documents);
  });

  return (domains, at) => {
    enter(domains, at);
    const found = optAllOut.immediate([...new Set(domains)], at);
    for (const { id } of found) {
      // What is kept goes first: it refers to the same documents and facts as the visits do.
      deleteRest.immediate(id);
      while (deleteSomeVisits.immediate(id));
    }
    eraseMentions(found.map(({ domain }) => domain));
    eraseOfSources(found.map(({ domain }) => domain));
    const already = found.filter(({ isNew }) => !isNew).map(({ domain }) => domain);
    return { already, isScrubbed: scrub(sqlite) };
  };
}
