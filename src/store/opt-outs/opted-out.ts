import { sql } from 'kysely';
import type { Domain } from '../../model/domain/domain.ts';
import { createOptOutSet, type OptOutSet, optOutScopeOf } from '../../model/opt-outs/opt-out-names.ts';
import type { IsHidden } from '../../model/opt-outs/opted-out-references.ts';
import type { EpochMs } from '../../model/time.ts';
import { type Database, Rows } from '../sqlite/database.ts';
import type { QueryParameter } from '../sqlite/prepare.ts';

/** A position among the requests not to be published: numbers that ascend in the order of recording. */
export interface RequestMark {
  readonly optOuts: number;
  readonly changes: number;
}

/**
 * The current opt-outs of a database, cached in memory. The opt-out of a host covers all its ports, that of a host with a port covers only
 * this port. Both cover the name with and without a leading `www.`. After a commit of another connection the new opt-outs are read, or all
 * if any was deleted.
 */
export class OptedOut extends Rows implements OptOutSet {
  readonly #checkMs: number;
  readonly #readDataVersion = this.database.sqlite.prepare<[], number>('pragma data_version').pluck();
  readonly #findNewer = this.database.sqlite.prepare<[number], { id: number; name: string }>(
    'select id, name from opt_outs where id > ? order by id',
  );
  readonly #count = this.database.sqlite.prepare<[], number>('select count(*) from opt_outs').pluck();
  readonly #first = this.database.sqlite
    .prepare<[string, string, string, string], number | null>('select min(at) from opt_outs where name in (?, ?, ?, ?)')
    .pluck();
  readonly #allNames = this.database.prepare((db) => db.selectFrom('opt_outs').select('name'));
  readonly #asksNotToBePublished = this.database.prepare((db, parameter: QueryParameter<{ domain: Domain }>) =>
    db.selectFrom('domains').select('id').where('domain', '=', parameter('domain')).where('noindex', '=', 1),
  );
  readonly #lastRequest = this.database.prepare((db) =>
    db.selectNoFrom([
      sql<number>`ifnull((select max(id) from opt_outs), 0)`.as('optOuts'),
      sql<number>`ifnull((select max(id) from changes), 0)`.as('changes'),
    ]),
  );
  readonly #requestSince = this.database.prepare((db, parameter: QueryParameter<RequestMark>) =>
    db.selectNoFrom(
      sql<0 | 1>`exists (select 1 from opt_outs where id > ${parameter('optOuts')}) or exists (
        select 1 from changes cross join domains on domains.id = changes.domain_id
        where changes.id > ${parameter('changes')} and field = 'noindex' and domains.noindex = 1 and was_ever_loops = 1
      )`.as('found'),
    ),
  );
  readonly #names = new Set<string>();
  readonly #cached = createOptOutSet(this.#names);
  #lastId = 0;
  #cachedVersion = -1;
  #checkedAt = Number.NEGATIVE_INFINITY;

  /** @param checkMs minimum time between two checks for a commit of another connection; inside a transaction every call checks. */
  constructor(database: Database, checkMs = 0) {
    super(database);
    this.#checkMs = checkMs;
  }

  get size(): number {
    return this.database.read(() => this.#current().size);
  }

  /** Whether an opt-out covers a host, with or without a port. Bound, so that it can be passed as a function. */
  readonly has = (name: string): boolean => this.database.read(() => this.#current().has(name));

  /** The time of the earliest opt-out covering a name; null when none covers it. */
  since(name: string): EpochMs | null {
    const { bare, withWww, port } = optOutScopeOf(name);
    const suffix = port === null ? '' : `:${port}`;
    return this.#first.get(bare, withWww, `${bare}${suffix}`, `${withWww}${suffix}`) ?? null;
  }

  /** The number of opt-outs; several that cover the same host count once. */
  count(): number {
    return this.database.read(() => countUncovered(this.#allNames.all({}).map(({ name }) => name)));
  }

  /** Whether a domain has opted out or asks not to be published. Bound, so that it can be passed as a function. */
  readonly isHidden: IsHidden = (domain) =>
    this.has(domain) ||
    this.database.read(() => this.#asksNotToBePublished.get({ domain: domain as Domain }) !== undefined);

  /** The last opt-out and the last change; 0 when there is none. */
  lastRequest(): RequestMark {
    return this.database.read(() => this.#lastRequest.get({}) ?? { optOuts: 0, changes: 0 });
  }

  /** Whether, since then, a host has opted out, or one that ever ran Loops has asked not to be published. */
  hasRequestSince(mark: RequestMark): boolean {
    return this.database.read(() => this.#requestSince.get(mark)?.found === 1);
  }

  /** Reads new opt-outs. Call after this connection has added some, because only commits of other connections are detected. */
  protected refresh(): void {
    for (const { id, name } of this.#findNewer.all(this.#lastId)) {
      this.#names.add(name);
      this.#lastId = id;
    }
  }

  #current(): OptOutSet {
    // The writes of a transaction must respect the opt-outs at that time.
    if (!this.database.sqlite.inTransaction) {
      const at = performance.now();
      if (at - this.#checkedAt < this.#checkMs) return this.#cached;
      this.#checkedAt = at;
    }
    const dataVersion = this.#readDataVersion.get() ?? 0;
    if (dataVersion === this.#cachedVersion) return this.#cached;
    this.refresh();
    if (this.#count.get() !== this.#names.size) {
      this.#names.clear();
      this.#lastId = 0;
      this.refresh();
    }
    this.#cachedVersion = dataVersion;
    return this.#cached;
  }
}

/** Counts opt-outs, without those covered by another. */
function countUncovered(names: Iterable<string>): number {
  const hosts = new Set<string>();
  const ports: { bare: string; port: string }[] = [];
  for (const name of names) {
    const { bare, port } = optOutScopeOf(name);
    if (port === null) hosts.add(bare);
    else ports.push({ bare, port });
  }
  const uncovered = ports.filter(({ bare }) => !hosts.has(bare)).map(({ bare, port }) => `${bare}:${port}`);
  return hosts.size + new Set(uncovered).size;
}

/** Whether a source is read from a host that has opted out. @param name its key and label: one of them holds its URL, if it has one. */
export function isSourceOptedOut(name: string, optedOut: OptOutSet): boolean {
  const host = /https?:\/\/([^/?#\s]+)/.exec(name)?.[1];
  return host !== undefined && optedOut.has(host);
}
