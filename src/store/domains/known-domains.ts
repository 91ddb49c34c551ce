import { sql } from 'kysely';
import type { Domain } from '../../model/domain/domain.ts';
import type { DomainRecord, DomainState } from '../../model/domain-record.ts';
import { optOutScopeOf } from '../../model/opt-outs/opt-out-names.ts';
import { REFUSALS } from '../../model/reason.ts';
import type { EpochMs } from '../../model/time.ts';
import type { OptedOut } from '../opt-outs/opted-out.ts';
import { type KnownSources, type ListedBy, listedBy } from '../sources/known-sources.ts';
import { type Database, Rows } from '../sqlite/database.ts';
import { type Compiler, type QueryParameter, selectLastId } from '../sqlite/prepare.ts';
import { domainColumns, isNameOf, type NamesOfHost, toDomainRecord } from '../visits/domain-row.ts';
import { listed, listedInstead, published } from './listed.ts';
import { isNotInProgress } from './pick-domains.ts';

export interface KnownDomain extends DomainRecord {
  /** The sources that have ever listed it, by name. */
  readonly listedBy: readonly ListedBy[];
}

/** Why a domain is in the directory or not. */
export type Listing =
  | { readonly listed: true }
  /** `since`: time of the earliest opt-out that covers the domain. */
  | { readonly listed: false; readonly because: 'opted-out'; readonly since: EpochMs }
  | {
      readonly listed: false;
      /** `revived`: dead or gone before a user requested it, and not visited since. */
      readonly because: 'never-visited' | 'not-loops' | 'dead' | 'gone' | 'revived' | 'noindex';
    }
  /** The instance is listed under its other domain. */
  | { readonly listed: false; readonly because: 'same-instance'; readonly as: Domain };

/** Why a state excludes a Loops instance from the directory; null when it does not. */
const unlistedByState = {
  new: 'revived',
  active: null,
  failing: null,
  dead: 'dead',
  gone: 'gone',
} as const satisfies Record<DomainState, string | null>;

/** The kinds of due domains: Loops instances, unvisited domains, other known domains, and dead or gone ones. */
export type DueKind = 'live' | 'new' | 'known' | 'dead';

/** The number of due domains of each kind that are not being visited, and the due time of the first; null when there is none. */
export type Backlog = Readonly<Record<DueKind, { readonly due: number; readonly oldest: EpochMs | null }>>;

/** A limit that no number of domains reaches. */
const NO_LIMIT = 2 ** 52;

type OfDomain = { domain: Domain };
type Ids = { after: number; upTo: number };
type Between = { first: string; beyond: string };

const selectPublished = (db: Compiler, parameter: QueryParameter<Ids>) =>
  db
    .selectFrom('domains')
    .where('domains.id', '>', parameter('after'))
    .where('domains.id', '<=', parameter('upTo'))
    .where(published);

/** The domains that were ever entered, unless they opted out. */
export class KnownDomains extends Rows {
  readonly #optOuts: OptedOut;
  readonly #sources: KnownSources;
  readonly #count = this.database.prepare((db) =>
    db.selectFrom('domains').select((row) => row.fn.countAll<number>().as('count')),
  );
  readonly #countListed = this.database.prepare((db) =>
    db
      .selectFrom('domains')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where(listed),
  );
  /** Counts at most `most` of the longest overdue domains. */
  readonly #backlog = this.database.prepare((db, parameter: QueryParameter<{ at: EpochMs; most: number }>) =>
    db
      .selectFrom(
        db
          .selectFrom('domains')
          .select('next_visit')
          .select(
            sql<DueKind>`case
              when last_visit is null then 'new'
              when state in ('dead', 'gone') then 'dead'
              when identified_as = 'loops' then 'live'
              else 'known'
            end`.as('kind'),
          )
          .where('next_visit', '<=', parameter('at'))
          .where(isNotInProgress)
          .orderBy('next_visit')
          .limit(parameter('most'))
          .as('waiting'),
      )
      .select(['kind', (row) => row.fn.countAll<number>().as('due'), (row) => row.fn.min('next_visit').as('oldest')])
      .groupBy('kind'),
  );
  readonly #find = this.database.prepare((db, parameter: QueryParameter<OfDomain>) =>
    db.selectFrom('domains').select(domainColumns).where('domain', '=', parameter('domain')),
  );
  readonly #startingWith = this.database.prepare((db, parameter: QueryParameter<Between & { limit: number }>) =>
    db
      .selectFrom('domains')
      .select(domainColumns)
      .where('domain', '>=', sql<Domain>`${parameter('first')}`)
      .where('domain', '<', sql<Domain>`${parameter('beyond')}`)
      .where(published)
      .orderBy('domain')
      .limit(parameter('limit')),
  );
  readonly #all = this.database.prepare((db) =>
    db
      .selectFrom('domains')
      .select(domainColumns)
      .select(
        sql<string>`(
          select json_group_array(json_array(source_id, first_at, last_at)) from domain_sources where domain_id = domains.id
        )`.as('listings'),
      )
      .orderBy('domain'),
  );
  readonly #groups = this.database.prepare((db, parameter: QueryParameter<Ids>) =>
    selectPublished(db, parameter)
      .select(['state', 'verdict', 'reason', 'software', (row) => row.fn.countAll<number>().as('count')])
      .groupBy(['state', 'verdict', 'reason', 'software']),
  );
  readonly #origins = this.database.prepare((db, parameter: QueryParameter<Ids>) =>
    selectPublished(db, parameter)
      .select(['domain', 'software', 'state', 'alias_of as aliasOf', 'canonical_host as canonicalHost'])
      .select((row) =>
        row
          .selectFrom('domain_sources')
          .innerJoin('sources', 'sources.id', 'domain_sources.source_id')
          .select('sources.key')
          .whereRef('domain_sources.domain_id', '=', 'domains.id')
          .orderBy('domain_sources.first_at')
          .orderBy('sources.id')
          .limit(sql.lit(1))
          .as('discoveredBy'),
      )
      .orderBy('domains.id'),
  );
  readonly #last = this.database.prepare((db) => selectLastId(db, 'domains'));
  readonly #refusing = this.database.prepare((db) =>
    db.selectFrom('domains').select('domain').where('reason', 'in', REFUSALS).where(listed).orderBy('domain'),
  );
  readonly #listing = this.database.prepare((db, parameter: QueryParameter<OfDomain>) =>
    db
      .selectFrom('domains')
      .select(['state', 'identified_as', 'noindex', 'last_visit', listedInstead.as('instead')])
      .where('domains.domain', '=', parameter('domain')),
  );
  readonly #lastUnderAnyName = this.database.prepare((db, parameter: QueryParameter<NamesOfHost & { upTo: EpochMs }>) =>
    db
      .selectFrom('domains')
      .select((row) => row.fn.max('last_visit').as('at'))
      .where(isNameOf(parameter))
      .where('last_visit', '<=', parameter('upTo')),
  );

  constructor(database: Database, optOuts: OptedOut, sources: KnownSources) {
    super(database);
    this.#optOuts = optOuts;
    this.#sources = sources;
  }

  /** All domains, those in the directory, and those that are due and not being visited. Reads every row: about a second for a million. */
  counts(at: EpochMs): { readonly domains: number; readonly listed: number; readonly due: number } {
    return this.database.read(() => ({
      domains: this.#count.get({})?.count ?? 0,
      listed: this.#countListed.get({})?.count ?? 0,
      due: Object.values(this.backlog(at)).reduce((total, { due }) => total + due, 0),
    }));
  }

  /** Reads every due domain, about 0.3 s for a million; counts up to `most`, the longest overdue first. */
  backlog(at: EpochMs, most = NO_LIMIT): Backlog {
    const none = { due: 0, oldest: null };
    const rows = this.database.read(() => this.#backlog.all({ at, most }));
    const kinds = rows.map(({ kind, ...counts }) => [kind, counts] as const);
    return { live: none, new: none, known: none, dead: none, ...Object.fromEntries(kinds) };
  }

  find(domain: Domain): DomainRecord | null {
    return this.database.read(() => {
      const row = this.#find.get({ domain });
      return row === undefined ? null : toDomainRecord(row);
    });
  }

  /** The first published domains that begin with `prefix`, in the order of {@link all}. */
  startingWith(prefix: string, limit: number): DomainRecord[] {
    // U+10FFFF is the last character, so the end sorts after every name with the prefix.
    const range = { first: prefix, beyond: `${prefix}\u{10ffff}`, limit };
    return this.database.read(() => this.#startingWith.all(range).map(toDomainRecord));
  }

  /** All domains with the sources that have listed them, sorted by domain in the binary order of UTF-8. */
  *all(): Iterable<KnownDomain> {
    const sources = this.#sources.byId();
    yield* this.database.stream(this.#all.iterate({}), (row) => ({
      ...toDomainRecord(row),
      listedBy: (JSON.parse(row.listings) as [id: number, firstAt: EpochMs, readAt: EpochMs][])
        .map(([id, firstAt, readAt]) => listedBy(sources.get(id), firstAt, readAt))
        .sort((one, other) => (one.source < other.source ? -1 : 1)),
    }));
  }

  /** Published domains with ids above `after` up to `upTo`, counted by state, verdict, reason and software. */
  groups(after: number, upTo: number) {
    return this.database.read(() => this.#groups.all({ after, upTo }));
  }

  /** Published domains with ids above `after` up to `upTo`, in the order of entry, each with the key of the first source that listed it. */
  origins(after: number, upTo: number) {
    return this.database.read(() => this.#origins.all({ after, upTo }));
  }

  /** 0 when there is none. */
  lastId(): number {
    return this.database.read(() => this.#last.get({})?.id ?? 0);
  }

  /** The listed instances whose last visit was refused, see `REFUSALS`. */
  refusing(): Domain[] {
    return this.database.read(() => this.#refusing.all({}).map(({ domain }) => domain));
  }

  /** Null for an unknown domain. */
  listingOf(domain: Domain): Listing | null {
    return this.database.read(() => {
      const since = this.#optOuts.since(domain);
      if (since !== null) return { listed: false, because: 'opted-out', since };
      const row = this.#listing.get({ domain });
      if (row === undefined) return null;
      if (row.identified_as !== 'loops')
        return { listed: false, because: row.last_visit === null ? 'never-visited' : 'not-loops' };
      const because = unlistedByState[row.state] ?? (row.noindex === 1 ? 'noindex' : null);
      if (because !== null) return { listed: false, because };
      return row.instead === null ? { listed: true } : { listed: false, because: 'same-instance', as: row.instead };
    });
  }

  /** Start of the last visit up to `upTo` of any domain of the same host: any port, with or without `www.`. Null when there is none. */
  lastVisitUnderAnyName(name: string, upTo: EpochMs): EpochMs | null {
    const { bare, withWww } = optOutScopeOf(name);
    return this.database.read(() => this.#lastUnderAnyName.get({ bare, withWww, upTo })?.at ?? null);
  }
}
