import { z } from 'zod';
import type { Domain } from '../../model/domain/domain.ts';
import { optOutScopeOf } from '../../model/opt-outs/opt-out-names.ts';
import { Domains } from '../domains/domains.ts';
import { Metadata } from '../metadata.ts';
import { type QueryParameter, selectLastId } from '../sqlite/prepare.ts';
import { isBusy } from '../sqlite/sqlite.ts';
import { documentColumns, documentIdsOf } from '../visits/documents.ts';
import { isNameOf, type NamesOfHost } from '../visits/domain-row.ts';
import { OptedOut } from './opted-out.ts';
import { Orphans } from './remove-orphans.ts';
import { domainsIdentifiedBy, removeReferences } from './remove-references.ts';

/** How long a purge waits for another connection. */
const BUSY_TIMEOUT_MS = 10_000;

/** The exported files are without the names of all opt-outs up to this id. */
const Published = z.object({ lastId: z.number() });
const PUBLISHED = 'opt-outs-published';

/** The opt-outs, and the purge of what they cover. */
export class OptOuts extends OptedOut {
  readonly #metadata = new Metadata(this.database);
  readonly #orphans = new Orphans(this.database);
  readonly #insert = this.database.prepare((db, parameter: QueryParameter<{ name: string; at: number }>) =>
    db.insertInto('opt_outs').values({ name: parameter('name'), at: parameter('at') }),
  );
  readonly #last = this.database.prepare((db) => selectLastId(db, 'opt_outs'));
  readonly #findCovered = this.database.prepare((db, parameter: QueryParameter<NamesOfHost>) =>
    db.selectFrom('domains').select('id').where(isNameOf(parameter)),
  );
  readonly #visitsOf = this.database.prepare((db, parameter: QueryParameter<{ id: number }>) =>
    db
      .selectFrom('visits')
      .select(['facts_id', ...documentColumns])
      .where('domain_id', '=', parameter('id')),
  );
  readonly #factsOf = this.database.prepare((db, parameter: QueryParameter<{ id: number }>) =>
    db.selectFrom('facts').select('facts_id').where('domain_id', '=', parameter('id')),
  );
  readonly #latestDocumentsOf = this.database.prepare((db, parameter: QueryParameter<{ id: number }>) =>
    db.selectFrom('latest_documents').select(documentColumns).where('domain_id', '=', parameter('id')),
  );
  // Deletes the rows of other tables too (`on delete cascade`).
  readonly #drop = this.database.prepare((db, parameter: QueryParameter<{ id: number }>) =>
    db.deleteFrom('domains').where('id', '=', parameter('id')),
  );

  /**
   * Opts domains out permanently, known or not, in one transaction: inserts the opt-outs, deletes all rows that they cover, so that a visit
   * in progress is not recorded, and removes the references to them from the rows of other domains. Deleted data is overwritten
   * (`secure_delete`). Returns the domains that were already covered.
   */
  forget(domains: readonly Domain[], at: number): Domain[] {
    const { sqlite } = this.database;
    const before = sqlite.pragma('busy_timeout', { simple: true });
    sqlite.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    try {
      const already = this.database.write(() => this.#purge([...new Set(domains)], at));
      this.database.read(() => {
        this.refresh();
        this.#emptyLog();
      });
      return already;
    } finally {
      sqlite.pragma(`busy_timeout = ${before}`);
    }
  }

  /** The id of the last purge while exported files may still hold purged data; else null. */
  unpublishedPurge(): number | null {
    return this.database.read(() => {
      const last = this.#last.get({})?.id ?? 0;
      return this.#published() < last ? last : null;
    });
  }

  /** Call it when every exported file has been rewritten after this purge. A later purge stays unpublished. */
  markPurgePublished(purge: number): void {
    this.database.write(() => {
      if (purge > this.#published()) this.#metadata.set(PUBLISHED, { lastId: purge });
    });
  }

  #published(): number {
    return this.#metadata.get(PUBLISHED, Published)?.lastId ?? 0;
  }

  #purge(domains: readonly Domain[], at: number): Domain[] {
    const already = domains.filter((domain) => {
      if (this.since(domain) !== null) return true;
      this.#insert.run({ name: domain, at });
      for (const { id } of this.#coveredBy(domain)) this.#remove(id);
      return false;
    });
    if (already.length === domains.length) return already;
    // What is known of these domains is what the opted-out hosts say of themselves, so they begin anew.
    const borrowing = domainsIdentifiedBy(this.database.sqlite, domains);
    for (const { id } of borrowing) this.#remove(id);
    removeReferences(this.database.sqlite, domains, this.#orphans);
    const names = borrowing.map(({ domain }) => domain);
    new Domains(this.database, this).enter(names, at);
    return already;
  }

  /** The domains covered by an opt-out: with a port, only those with this port. */
  #coveredBy(optOut: Domain): { id: number }[] {
    const { bare, withWww, port } = optOutScopeOf(optOut);
    const suffix = port === null ? '' : `:${port}`;
    return this.#findCovered.all({ bare: bare + suffix, withWww: withWww + suffix });
  }

  /** Deletes a domain with its rows in other tables. */
  #remove(id: number): void {
    const rows = this.#visitsOf.all({ id });
    const factSets = [...rows, ...this.#factsOf.all({ id })].map((row) => row.facts_id);
    const documents = [...documentIdsOf(rows), ...documentIdsOf(this.#latestDocumentsOf.all({ id }))];
    this.#drop.run({ id });
    this.#orphans.removeFactSets(factSets);
    this.#orphans.removeDocuments(documents);
  }

  /** Moves the write-ahead log, which holds former pages, into the database file. A reader can prevent it until the next checkpoint. */
  #emptyLog(): void {
    try {
      this.database.sqlite.pragma('wal_checkpoint(truncate)');
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
  }
}
