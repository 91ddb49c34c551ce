import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { DomainChange } from '../model/change.ts';
import type { Domain } from '../model/domain/domain.ts';
import type { Conclusive, DomainRecord, DomainState } from '../model/domain-record.ts';
import { derivedFlags } from '../model/facts/derived-flags.ts';
import { type InstanceFacts, InstanceFlag } from '../model/facts/instance-facts.ts';
import type { KnownFacts } from '../model/facts/known-facts.ts';
import { missingFacts } from '../model/facts/missing.ts';
import type { DailyUsage, UsageSample } from '../model/facts/usage-sample.ts';
import { GROWTH_DAYS, type InstanceHistory, type InstanceRecord, isUnconfirmed } from '../model/instance-record.ts';
import { type Month, monthAfter, monthOf, startOf } from '../model/month.ts';
import type { OptOutSet } from '../model/opt-outs/opt-out-names.ts';
import { hideInChange, type IsHidden } from '../model/opt-outs/opted-out-references.ts';
import { REFUSALS } from '../model/reason.ts';
import type { Step } from '../model/step.ts';
import { DAY_MS } from '../model/time.ts';
import { UPTIME_MS, type Uptime, uptimeOf } from '../model/uptime.ts';
import type { Via } from '../model/verdict.ts';
import type { VisitOutcome } from '../model/visit.ts';
import type { WorkerRecord } from '../model/worker.ts';
import { CrawlerState } from './crawler.ts';
import { selectBacklog } from './frontier/pick-domains.ts';
import { toChange } from './history/changes.ts';
import {
  selectAllChangesOf,
  selectAllUsageOf,
  selectChanges,
  selectChangesForward,
  selectChangesOf,
  selectEndsOfUsage,
  selectEverLoops,
  selectLastUsage,
  selectNamesOfEverLoops,
  selectPublishedChanges,
  selectUsageForward,
  selectUsageOf,
  selectUsageOfAll,
  selectVisitOutcomes,
} from './history/queries.ts';
import { VisitTimes } from './history/visit-times.ts';
import { countUncovered, OptedOut } from './opt-outs/opted-out.ts';
import {
  nameRangeOf,
  selectDomainsStartingWith,
  selectGroups,
  selectLastUnderAnyName,
  selectOrigins,
} from './read/domains.ts';
import { listed, listedInstead } from './read/listed.ts';
import { missingCounts, whyChangedToNull } from './read/missing.ts';
import { isUp, type OutcomePeriod, type OutcomeRow, selectOutcomes, toUptimeVisits } from './read/uptime.ts';
import type {
  Backlog,
  DocumentedDomain,
  DomainGroup,
  DomainOrigin,
  HistoryPage,
  LastVisit,
  Listing,
  Membership,
  NewestRelease,
  NumberedChange,
  RequestMark,
  StoreCounts,
  StoredChange,
  StoredDocument,
  StoredVisit,
  TimedVisit,
} from './records.ts';
import {
  selectDomainsWithSources,
  selectLastRun,
  selectListedWithSources,
  selectRunsOf,
  selectSourcesOf,
  selectSourcesOfInstance,
  selectWaiting,
  selectYields,
} from './sources/queries.ts';
import { lastListedAt, sourceNames } from './sources/source-names.ts';
import { type RunRow, toSourceRun } from './sources/source-run-row.ts';
import type {
  ListedBy,
  SkippedSource,
  SourceListing,
  SourceRun,
  SourceState,
  SourceYield,
} from './sources/source-state.ts';
import { Database, Rows } from './sqlite/database.ts';
import { rememberFile } from './sqlite/database-file.ts';
import type { Compiler, QueryParameter } from './sqlite/prepare.ts';
import { connectReadOnly } from './sqlite/sqlite.ts';
import { bodyOf } from './visits/documents.ts';
import { domainColumns, qualifiedDomainColumns, toDomainRecord } from './visits/domain-row.ts';
import { factsColumns, toKnownFacts } from './visits/facts-row.ts';
import { type Gap, Gaps } from './visits/gaps.ts';
import {
  Steps,
  selectNextDocumented,
  selectVisitsOf,
  selectVisitsWithDocuments,
  toOutcome,
  toStoredVisit,
} from './visits/visit-row.ts';

/** Thresholds of the flags that depend on other instances or on age. */
export interface FlagOptions {
  /** Number of listed instances under one registrable domain from which each is flagged `crowded-domain`. */
  crowdedFrom: number;
  /** Age of a fact, in days, above which its instance is flagged `stale-facts`. */
  staleDays: number;
}

export interface ReaderOptions {
  /** Default: `crowdedFrom` 10, `staleDays` 7. */
  flags?: FlagOptions;
  /** Reads the state at the time of opening, so that several queries agree. The write-ahead log grows while such a reader is open. */
  snapshot?: boolean;
  /** How long a statement may block the thread while another process holds a lock. Default: 5,000. */
  busyTimeoutMs?: number;
  /** Whether the path still names the file that was opened. Default: compares with the file that this reader opens. */
  isInPlace?: () => boolean;
}

/**
 * Opens a read-only connection to the database of a store.
 *
 * @throws StoreError
 */
export function openReader(path: string, options: ReaderOptions = {}): StoreReader {
  const { isInPlace = rememberFile(path), busyTimeoutMs = 5_000, snapshot = false, flags } = options;
  const sqlite = connectReadOnly(path, busyTimeoutMs);
  const database = new Database(sqlite, path, isInPlace);
  try {
    return database.read(() => {
      // A read transaction takes its snapshot at its first select.
      if (snapshot) sqlite.exec('begin; select 1 from domains limit 1');
      return new StoreReader(database, flags);
    });
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

const DEFAULT_FLAGS: FlagOptions = { crowdedFrom: 10, staleDays: 7 };
/** A limit that no number of domains reaches. */
const NO_LIMIT = 2 ** 52;
/** The position before the first page: newer than all entries. */
const END = { at: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };
/** Visits get ids when they are recorded, so id order can differ from start order: by minutes, or by more after a clock change. */
const SLACK_MS = DAY_MS;

type OfDomain = { domain: Domain };
type Unlisted = Exclude<Listing, { listed: true } | { because: 'same-instance' | 'opted-out' }>['because'];

/** Why a state excludes a Loops instance from the directory; null when it does not. */
const unlistedByState = {
  new: 'revived',
  active: null,
  failing: null,
  dead: 'dead',
  gone: 'gone',
} as const satisfies Record<DomainState, Unlisted | null>;

const selectFacts = (db: Compiler) =>
  db
    .selectFrom('domains')
    .innerJoin('facts', 'facts.domain_id', 'domains.id')
    .innerJoin('fact_sets', 'fact_sets.id', 'facts.facts_id')
    .select(factsColumns);

const countDomains = (db: Compiler) => db.selectFrom('domains').select((row) => row.fn.countAll<number>().as('count'));

/** A read-only connection. Iterators stream in constant memory, and can be abandoned early. Times are epoch milliseconds. */
export class StoreReader extends Rows implements Disposable {
  /** See {@link OptedOut}. */
  readonly optedOut: OptOutSet;
  readonly #optedOut = new OptedOut(this.database);
  readonly #flags: FlagOptions;
  readonly #crawler = new CrawlerState(this.database);
  readonly #times = new VisitTimes(this.database);
  readonly #gaps = new Gaps(this.database);

  readonly #countKnown = this.database.prepare(countDomains);
  readonly #countListed = this.database.prepare((db) => countDomains(db).where(listed));
  readonly #backlog = this.database.prepare(selectBacklog);
  readonly #find = this.database.prepare((db, parameter: QueryParameter<OfDomain>) =>
    db.selectFrom('domains').select(domainColumns).where('domain', '=', parameter('domain')),
  );
  readonly #findStart = this.database.prepare(selectDomainsStartingWith);
  readonly #domains = this.database.prepareIteration(selectDomainsWithSources);
  readonly #groups = this.database.prepare(selectGroups);
  readonly #origins = this.database.prepare(selectOrigins);
  readonly #lastDomain = this.database.prepare((db) =>
    db.selectFrom('domains').select((row) => row.fn.max<number | null>('id').as('id')),
  );
  readonly #refusing = this.database.prepare((db) =>
    db.selectFrom('domains').select('domain').where('reason', 'in', REFUSALS).where(listed).orderBy('domain'),
  );
  readonly #listing = this.database.prepare((db, parameter: QueryParameter<OfDomain>) =>
    db
      .selectFrom('domains')
      .select(['state', 'identified_as', 'noindex', 'last_visit', listedInstead.as('same_instance')])
      .where('domains.domain', '=', parameter('domain')),
  );
  readonly #lastUnderAnyName = this.database.prepare(selectLastUnderAnyName);
  readonly #asksNotToBePublished = this.database.prepare((db, parameter: QueryParameter<OfDomain>) =>
    db.selectFrom('domains').select('id').where('domain', '=', parameter('domain')).where('noindex', '=', 1),
  );
  readonly #optOutNames = this.database.prepare((db) => db.selectFrom('opt_outs').select('name'));
  readonly #lastRequest = this.database.prepare((db) =>
    db.selectNoFrom((row) => [
      row.fn
        .coalesce(
          row.selectFrom('opt_outs').select((inner) => inner.fn.max('id').as('id')),
          sql.lit(0),
        )
        .as('optOuts'),
      row.fn
        .coalesce(
          row.selectFrom('changes').select((inner) => inner.fn.max('id').as('id')),
          sql.lit(0),
        )
        .as('changes'),
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

  readonly #instances = this.database.prepareIteration((db) =>
    selectFacts(db)
      .select([...qualifiedDomainColumns, 'domains.id', 'registrable_domain'])
      .where(listed)
      .orderBy('domain'),
  );
  readonly #facts = this.database.prepare((db, parameter: QueryParameter<OfDomain>) =>
    selectFacts(db)
      .select(['registrable_domain', 'identified_as', 'state', 'failures'])
      .where('domain', '=', parameter('domain')),
  );
  readonly #crowded = this.database.prepare((db, parameter: QueryParameter<{ from: number }>) =>
    db
      .selectFrom('domains')
      .select('registrable_domain as name')
      .where(listed)
      .groupBy('registrable_domain')
      .having((row) => row.fn.countAll<number>(), '>=', parameter('from')),
  );
  readonly #countSharing = this.database.prepare((db, parameter: QueryParameter<{ name: string; from: number }>) =>
    db
      .selectFrom((inner) =>
        inner
          .selectFrom('domains')
          .select('domains.id')
          .where('registrable_domain', '=', parameter('name'))
          .where(listed)
          .limit(parameter('from'))
          .as('sharing'),
      )
      .select((row) => row.fn.countAll<number>().as('count')),
  );
  readonly #findUptime = this.database.prepare((db, parameter: QueryParameter<OfDomain>) =>
    db.selectFrom('domains').select(['id', 'was_ever_loops']).where('domain', '=', parameter('domain')),
  );
  readonly #outcomes = this.database.prepareTuples<OutcomePeriod, OutcomeRow>(selectOutcomes);
  /** Reads the row of each visit, unlike #outcomes, which is fast enough for a period of some months. */
  readonly #timedVisits = this.database.prepare((db, parameter: QueryParameter<OutcomePeriod>) =>
    selectOutcomes(db, parameter).select(['duration_ms', 'reason']),
  );

  readonly #changesOf = this.database.prepareIteration(selectAllChangesOf);
  readonly #usageOf = this.database.prepareIteration(selectAllUsageOf);
  readonly #changesPage = {
    newest: this.database.prepare((db, parameter: QueryParameter<{ from: number; limit: number }>) =>
      selectChanges(db, parameter, 'newest'),
    ),
    oldest: this.database.prepare((db, parameter: QueryParameter<{ from: number; limit: number }>) =>
      selectChanges(db, parameter, 'oldest'),
    ),
  };
  readonly #domainChangesPage = this.database.prepare(selectChangesOf);
  readonly #domainUsagePage = this.database.prepare(selectUsageOf);
  readonly #lastChange = this.database.prepare((db) =>
    db.selectFrom('changes').select((row) => row.fn.max<number | null>('id').as('id')),
  );
  readonly #allChanges = this.database.prepareIteration(selectPublishedChanges);
  readonly #everLoops = this.database.prepareIteration(selectEverLoops);
  readonly #namesOfEverLoops = this.database.prepareIteration(selectNamesOfEverLoops);
  readonly #changesForward = this.database.prepare(selectChangesForward);
  readonly #usageForward = this.database.prepare(selectUsageForward);
  readonly #lastUsage = this.database.prepare(selectLastUsage);
  readonly #usageOfAll = this.database.prepareIteration(selectUsageOfAll);
  readonly #endsOfUsage = this.database.prepare(selectEndsOfUsage);

  readonly #visitsOf = this.database.prepareIteration(selectVisitsOf);
  /** The last visit that found the instance. */
  readonly #lastOfInstance = this.database.prepare((db, parameter: QueryParameter<{ id: number }>) =>
    db
      .selectFrom('visits')
      .leftJoin('visit_steps', 'visit_steps.visit_id', 'visits.id')
      .select(['visits.via', 'visit_steps.steps'])
      .where('domain_id', '=', parameter('id'))
      .where('facts_id', 'is not', null)
      .orderBy('at', 'desc')
      .limit(sql.lit(1)),
  );
  readonly #visitOutcomes = this.database.prepareIteration(selectVisitOutcomes);
  readonly #firstVisit = this.database.prepare((db) =>
    db.selectFrom('visits').select(['id', 'at']).orderBy('id').limit(1),
  );
  readonly #lastVisit = this.database.prepare((db) =>
    db.selectFrom('visits').select(['id', 'at']).orderBy('id', 'desc').limit(1),
  );
  readonly #firstChange = this.database.prepare((db) => db.selectFrom('changes').select('at').orderBy('id').limit(1));
  readonly #startOfVisit = this.database.prepare((db, parameter: QueryParameter<{ id: number }>) =>
    db.selectFrom('visits').select('at').where('id', '=', parameter('id')),
  );
  readonly #nextDocumented = this.database.prepare(selectNextDocumented);
  readonly #visitsWithDocuments = this.database.prepare(selectVisitsWithDocuments);
  readonly #document = this.database.prepare((db, parameter: QueryParameter<{ id: number }>) =>
    db.selectFrom('documents').selectAll().where('id', '=', parameter('id')),
  );

  readonly #sources = this.database.prepare((db) =>
    db.selectFrom('sources').select(['id', 'key', 'type', 'label', 'first_at', 'not_before', 'inactive']).orderBy('id'),
  );
  readonly #lastRun = this.database.prepare((db, parameter: QueryParameter<{ source: number }>) =>
    selectLastRun(db, parameter),
  );
  readonly #lastSuccess = this.database.prepare((db, parameter: QueryParameter<{ source: number }>) =>
    selectLastRun(db, parameter, ['complete', 'unchanged']),
  );
  readonly #lastComplete = this.database.prepare((db, parameter: QueryParameter<{ source: number }>) =>
    selectLastRun(db, parameter, ['complete']),
  );
  readonly #runsOf = this.database.prepareIteration(selectRunsOf);
  readonly #skipped = this.database.prepare((db) =>
    db.selectFrom('skipped_sources').select(['key', 'at', 'why']).orderBy('key'),
  );
  readonly #yields = this.database.prepare(selectYields);
  readonly #waiting = this.database.prepare(selectWaiting);
  readonly #sourcesOf = this.database.prepare(selectSourcesOf);
  readonly #listedWithSources = this.database.prepareIteration(selectListedWithSources);
  readonly #sourcesOfInstance = this.database.prepare(selectSourcesOfInstance);

  constructor(database: Database, flags = DEFAULT_FLAGS) {
    super(database);
    this.optedOut = this.#optedOut;
    this.#flags = flags;
  }

  [Symbol.dispose](): void {
    this.database.sqlite.close();
  }

  /** Changes whenever another connection commits; constant on a snapshot. */
  dataVersion(): number {
    return this.database.read(() => Number(this.database.sqlite.pragma('data_version', { simple: true })));
  }

  /** Reads every row once: about a second for a million domains. */
  counts(at: number): StoreCounts {
    return this.database.read(() => ({
      domains: this.#countKnown.get({})?.count ?? 0,
      listed: this.#countListed.get({})?.count ?? 0,
      due: Object.values(this.backlog(at)).reduce((total, { due }) => total + due, 0),
    }));
  }

  /** Reads every due domain, about 0.3 s for a million; counts up to `most`, the longest overdue first. */
  backlog(at: number, most = NO_LIMIT): Backlog {
    const none = { due: 0, oldest: null };
    const rows = this.database.read(() => this.#backlog.all({ at, most }));
    const kinds = rows.map(({ kind, due, oldest }) => [kind, { due, oldest }] as const);
    return { live: none, new: none, known: none, dead: none, ...Object.fromEntries(kinds) };
  }

  find(domain: Domain): DomainRecord | null {
    return this.database.read(() => {
      const row = this.#find.get({ domain });
      return row === undefined ? null : toDomainRecord(row);
    });
  }

  /** The first published domains that begin with `prefix`, in the order of {@link domains}. */
  domainsStartingWith(prefix: string, limit: number): DomainRecord[] {
    // U+10FFFF is the last character, so the end sorts after every name with the prefix.
    const range = { prefix, end: `${prefix}\u{10ffff}`, limit };
    return this.database.read(() => this.#findStart.all(range).map(toDomainRecord));
  }

  /** All known domains with the sources that have listed them, sorted by domain in the binary order of UTF-8. */
  *domains(): Iterable<KnownDomain> {
    const sources = new Map(this.sourceStates().map((state) => [state.id, state]));
    yield* this.database.stream(
      () => this.#domains({}),
      (row) => ({
        ...toDomainRecord(row),
        listedBy: (JSON.parse(row.listings) as [id: number, firstAt: number, readAt: number][])
          .map(([id, firstAt, readAt]) => listedByOf(sources.get(id), firstAt, readAt))
          .sort((one, other) => (one.source < other.source ? -1 : 1)),
      }),
    );
  }

  /** Published domains with ids above `after` up to `upTo`, counted by state, verdict, reason and software. */
  domainGroups(after: number, upTo: number): DomainGroup[] {
    return this.database.read(() => this.#groups.all({ after, upTo }));
  }

  /** Published domains with ids above `after` up to `upTo`, in the order of entry. */
  domainOrigins(after: number, upTo: number): DomainOrigin[] {
    return this.database.read(() => this.#origins.all({ after, upTo }));
  }

  /** 0 when there is none. */
  lastDomainId(): number {
    return this.database.read(() => this.#lastDomain.get({})?.id ?? 0);
  }

  /** The listed instances whose last visit was refused, see `REFUSALS`. */
  refusing(): Domain[] {
    return this.database.read(() => this.#refusing.all({}).map(({ domain }) => domain));
  }

  /** Null for an unknown domain. */
  listingOf(domain: Domain): Listing | null {
    return this.database.read(() => {
      const unlisted = (reason: Unlisted): Listing => ({ listed: false, because: reason });
      const since = this.#optedOut.since(domain);
      if (since !== null) return { listed: false, because: 'opted-out', since };
      const row = this.#listing.get({ domain });
      if (row === undefined) return null;
      if (row.identified_as !== 'loops') return unlisted(row.last_visit === null ? 'never-visited' : 'not-loops');
      const byState = unlistedByState[row.state];
      if (byState !== null) return unlisted(byState);
      if (row.noindex === 1) return unlisted('noindex');
      if (row.same_instance !== null) return { listed: false, because: 'same-instance', as: row.same_instance };
      return { listed: true };
    });
  }

  /** Start of the last visit up to `upTo` of any domain of the same host: any port, with or without `www.`. Null when there is none. */
  lastVisitUnderAnyName(name: string, upTo: number): number | null {
    return this.database.read(() => this.#lastUnderAnyName.get({ ...nameRangeOf(name), upTo })?.at ?? null);
  }

  /** The number of opt-outs; several that cover the same host count once. */
  optOutCount(): number {
    return this.database.read(() => countUncovered(this.#optOutNames.all({}).map(({ name }) => name)));
  }

  /** The last opt-out and the last change; 0 when there is none. */
  lastRequest(): RequestMark {
    return this.database.read(() => this.#lastRequest.get({}) ?? { optOuts: 0, changes: 0 });
  }

  /** Whether, since then, a host has opted out, or one that ever ran Loops has asked not to be published. */
  hasRequestSince(mark: RequestMark): boolean {
    return this.database.read(() => this.#requestSince.get(mark)?.found === 1);
  }

  /** Whether a domain has opted out or asks not to be published. Bound, so that it can be passed as a function. */
  readonly isHidden: IsHidden = (domain) =>
    this.database.read(
      () => this.optedOut.has(domain) || this.#asksNotToBePublished.get({ domain: domain as Domain }) !== undefined,
    );

  /**
   * The listed instances with their last good facts, in the order of {@link domains}; uptime, `crowded-domain`, `outdated` and
   * `stale-facts` as of `at`.
   */
  *instances(at: number): Iterable<InstanceRecord> {
    const context = this.database.read(() => {
      const names = new Set(this.#crowded.all({ from: this.#flags.crowdedFrom }).map(({ name }) => name));
      return { newest: this.newestRelease()?.version ?? null, isCrowded: (name: string) => names.has(name) };
    });
    const then = at - GROWTH_DAYS * DAY_MS;
    const before = { from: then - 7 * DAY_MS, before: then + 1 };
    yield* this.database.stream(
      () => this.#instances({}),
      (row) => {
        const record = toDomainRecord(row);
        const about = { registrable: row.registrable_domain, isUnconfirmed: isUnconfirmed(record) };
        const known = toKnownFacts(row);
        return {
          ...record,
          ...this.#withFlags(known, about, at, context),
          uptime: this.#readUptime(row, at),
          usageBefore: this.#lastUsage.get({ id: row.id, ...before }) ?? null,
          missing: this.#missingOf(row, known.facts),
        };
      },
    );
  }

  /**
   * The last good facts of an instance, listed or not; null for a domain that was never identified as Loops. With `at`, includes the
   * derived flags of {@link instances}.
   *
   * @param newest the newest version, null when unknown. Default: {@link newestRelease}, which may read every listed instance.
   */
  factsOf(domain: Domain, at?: number, newest?: string | null): KnownFacts | null {
    return this.database.read(() => {
      const row = this.#facts.get({ domain });
      if (row === undefined) return null;
      const stored = toKnownFacts(row);
      if (at === undefined) return stored;
      const { identified_as: identifiedAs, state, failures } = row;
      const about = {
        registrable: row.registrable_domain,
        isUnconfirmed: isUnconfirmed({ identifiedAs, state, failures }),
      };
      const from = this.#flags.crowdedFrom;
      return this.#withFlags(stored, about, at, {
        newest: newest === undefined ? (this.newestRelease()?.version ?? null) : newest,
        isCrowded: (name) => (this.#countSharing.get({ name, from })?.count ?? 0) >= from,
      });
    });
  }

  /** Null when no release is stored, and no version is run under two registrable domains. */
  newestRelease(): NewestRelease | null {
    return this.database.read(() => this.#crawler.newestRelease());
  }

  uptimeOf(domain: Domain, at: number): Uptime {
    return this.database.read(() => this.#readUptime(this.#uptimeDomain(domain), at));
  }

  /** The visits of a domain up to `at`, back to the last one before `from`, newest first. */
  timedVisitsOf(domain: Domain, period: { from: number; at: number }): TimedVisit[] {
    return this.database.read(() => {
      const { id, was_ever_loops } = this.#uptimeDomain(domain);
      return this.#timedVisits.all({ domain_id: id, ...period }).map((row) => ({
        at: row.at,
        nextVisit: row.next_visit,
        isUp: isUp(row.outcome, was_ever_loops === 1),
        durationMs: row.duration_ms,
        reason: row.reason,
      }));
    });
  }

  /** The changes of a domain, newest first. */
  changesOf(domain: Domain): IterableIterator<StoredChange> {
    return this.database.stream(
      () => this.#changesOf({ domain }),
      (row) => ({ domain, ...toChange(row), visitId: row.visit_id }),
    );
  }

  /** The usage counts of a domain, newest first. */
  usageOf(domain: Domain): IterableIterator<UsageSample> {
    return this.database.stream(() => this.#usageOf({ domain }));
  }

  /**
   * A page of all changes, in the order of recording; `from` is the id of the last change of the previous page, null for the first page.
   * Here and in {@link domainChangesPage}, values that name a domain which {@link isHidden} are null.
   */
  changesPage({
    order,
    from,
    limit,
  }: {
    order: 'newest' | 'oldest';
    from: number | null;
    limit: number;
  }): NumberedChange[] {
    return this.database.read(() => {
      const start = from ?? (order === 'newest' ? Number.MAX_SAFE_INTEGER : 0);
      return this.#changesPage[order].all({ from: start, limit }).map((row) => ({
        domain: row.domain,
        ...hideInChange(toChange(row), this.isHidden),
        visitId: row.visit_id,
        id: row.id,
        isPublished: Boolean(row.is_published),
      }));
    });
  }

  /** A page of {@link changesOf}. */
  domainChangesPage(domain: Domain, { before, limit }: HistoryPage): NumberedChange[] {
    return this.database.read(() =>
      this.#domainChangesPage.all({ domain, ...(before ?? END), limit }).map((row) => ({
        domain,
        ...hideInChange(toChange(row), this.isHidden),
        visitId: row.visit_id,
        id: row.id,
        isPublished: true,
      })),
    );
  }

  /** A page of {@link usageOf}; `id` is the visit's. */
  domainUsagePage(domain: Domain, { before, limit }: HistoryPage): (UsageSample & { readonly id: number })[] {
    return this.database.read(() => this.#domainUsagePage.all({ domain, ...(before ?? END), limit }));
  }

  /** The id of the last recorded change; 0 when there is none. Some changes belong to no visit. */
  lastChangeId(): number {
    return this.database.read(() => this.#lastChange.get({})?.id ?? 0);
  }

  /** Every change of the published domains, in the order of recording. */
  changes(): Iterable<DomainChange> {
    return this.database.stream(
      () => this.#allChanges({}),
      (row) => {
        const change = toChange(row);
        return { domain: row.domain, ...change, missing: whyChangedToNull(change, row.read) };
      },
    );
  }

  /** The published domains that ever were Loops, in the order of {@link domains}; with `isWanted`, only those that it accepts. */
  *histories(isWanted: (domain: Domain) => boolean = () => true): Iterable<InstanceHistory> {
    for (const row of this.database.stream(() => this.#everLoops({}))) {
      if (!isWanted(row.domain)) continue;
      const { id } = row;
      const missingOf = (facts: InstanceFacts) => this.#missingOf(row, facts);
      yield this.database.read(() => ({
        record: toDomainRecord(row),
        facts: toKnownFacts(row).facts,
        checkedAt: row.checked_at,
        get missing() {
          return missingOf(this.facts);
        },
        changes: () => this.database.read(() => this.#changesForward.all({ id }).map(toChange)),
        usage: () => lastOfEachDay(this.database.read(() => this.#usageForward.all({ id }))),
      }));
    }
  }

  /** All months from the first stored usage count to the last. */
  usageMonths(): Month[] {
    return this.database.read(() => {
      const range: { first: number | null; last: number | null } = { first: null, last: null };
      for (const { id } of this.#namesOfEverLoops({})) {
        const { first = null, last = null } = this.#endsOfUsage.get({ id }) ?? {};
        if (first === null || last === null) continue;
        range.first = Math.min(range.first ?? first, first);
        range.last = Math.max(range.last ?? last, last);
      }
      return monthsBetween(range.first, range.last);
    });
  }

  /** The last counts of each published domain on each day of a month, in the order of {@link domains}, then by time. */
  usage(month: Month): Iterable<DailyUsage> {
    const period = { from: startOf(month), before: startOf(monthAfter(month)) };
    const samples = lastOfEachDay(this.database.stream(() => this.#usageOfAll(period)));
    return Iterator.from(samples).map(({ notes, ...sample }) => ({ ...sample, missing: missingCounts(sample, notes) }));
  }

  /** The visits of a domain, newest first. */
  visitsOf(domain: Domain): IterableIterator<StoredVisit> {
    return this.database.stream(
      () => this.#visitsOf({ domain }),
      (row) => toStoredVisit(row, domain),
    );
  }

  /** Null when no visit was recorded. */
  lastVisit(): LastVisit | null {
    return this.database.read(() => {
      const at = this.#lastVisit.get({})?.at;
      // The largest id in use decreases when its domain is forgotten; the largest id ever assigned never does.
      return at === undefined ? null : { id: this.#crawler.lastVisitId(), at };
    });
  }

  /** The first stored change or visit; null when there is none. Changes are stored forever. */
  firstRecord(): number | null {
    return this.database.read(() => {
      const [change, visit] = [this.#firstChange.get({})?.at, this.#firstVisit.get({})?.at];
      return change === undefined || visit === undefined ? (change ?? visit ?? null) : Math.min(change, visit);
    });
  }

  /** The times in which visits were due, but none began; oldest first. */
  gaps(): readonly Gap[] {
    return this.database.read(() => this.#gaps.all());
  }

  /** The largest id ever given to a visit; 0 when there was none. Grows with every visit. */
  lastVisitId(): number {
    return this.database.read(() => this.#crawler.lastVisitId());
  }

  /** The start of a visit; null when it is not stored. */
  visitStartedAt(id: number): number | null {
    return this.database.read(() => this.#startOfVisit.get({ id })?.at ?? null);
  }

  /** The first domain with an id above `after` whose documents are stored; null when there is none. Excludes opted-out domains. */
  nextDomainWithDocuments(after: number): DocumentedDomain | null {
    return this.database.read(() => this.#nextDocumented.get({ after }) ?? null);
  }

  /** Oldest first. */
  visitsWithDocuments({ id, domain }: DocumentedDomain): StoredVisit[] {
    return this.database.read(() => this.#visitsWithDocuments.all({ id }).map((row) => toStoredVisit(row, domain)));
  }

  /** Null when it is missing or damaged. */
  document(id: number): StoredDocument | null {
    return this.database.read(() => {
      const row = this.#document.get({ id });
      if (row === undefined) return null;
      const sha256 = Buffer.from(row.sha256).toString('hex');
      const body = bodyOf(row);
      return body === null || hash('sha256', body) !== sha256 ? null : { sha256, body: new Uint8Array(body) };
    });
  }

  /** All months from the first stored visit to the last. */
  visitMonths(): Month[] {
    return this.database.read(() =>
      monthsBetween(this.#firstVisit.get({})?.at ?? null, this.#lastVisit.get({})?.at ?? null),
    );
  }

  /** The visits of published domains that began in a month, in the order of recording. */
  *visits(month: Month): Iterable<VisitOutcome> {
    const [from, before] = [startOf(month), startOf(monthAfter(month))];
    const range = this.database.read(() => ({
      after: this.#times.lastBefore(from - SLACK_MS),
      upTo: this.#times.lastBefore(before + SLACK_MS),
    }));
    const toFlags = createFlagReader();
    yield* this.database.stream(
      () => this.#visitOutcomes({ ...range, from, before }),
      (row): VisitOutcome => ({
        id: row.id,
        domain: row.domain,
        ...toOutcome(row),
        state: row.state,
        flags: toFlags(row.flags),
      }),
    );
  }

  /** Every source that was ever read, in the order of the first runs. */
  sourceStates(): SourceState[] {
    const toRunOrNull = (row: RunRow | undefined) => (row === undefined ? null : toSourceRun(row));
    return this.database.read(() => {
      const rows = this.#sources.all({});
      const names = sourceNames(rows, this.isHidden);
      return rows.map(({ id, key, type, label, first_at, not_before, inactive }) => {
        const success = this.#lastSuccess.get({ source: id });
        const isFullyEntered = success !== undefined && success.queue_full === 0;
        return {
          id,
          key,
          type,
          label,
          name: names.get(id) ?? key,
          isActive: inactive === 0,
          firstAt: first_at,
          notBefore: not_before,
          lastRun: toRunOrNull(this.#lastRun.get({ source: id })),
          lastSuccess: toRunOrNull(success),
          lastComplete: toRunOrNull(this.#lastComplete.get({ source: id })),
          etag: isFullyEntered ? success.etag : null,
          lastModified: isFullyEntered ? success.last_modified : null,
        };
      });
    });
  }

  /** The states of {@link sourceStates} with their yields: what each contributed. Reads every membership: one or two seconds for a million. */
  sourceYields(): SourceYield[] {
    return this.database.read(() => {
      const yields = new Map(this.#yields.all({}).map(({ source, ...counts }) => [source, counts]));
      const waiting = new Map(this.#waiting.all({}).map(({ source, count }) => [source, count]));
      const none = { domains: 0, visited: 0, loops: 0, onlyHere: 0 };
      return this.sourceStates().map((state) => ({
        ...state,
        ...none,
        ...yields.get(state.id),
        waiting: waiting.get(state.id) ?? 0,
      }));
    });
  }

  /** The runs of a source, newest first. */
  sourceRuns(key: string): IterableIterator<SourceRun> {
    return this.database.stream(() => this.#runsOf({ key }), toSourceRun);
  }

  /** Sources that were skipped when they were last due. */
  skippedSources(): SkippedSource[] {
    return this.database.read(() => this.#skipped.all({}));
  }

  /** The sources that list a domain, oldest listing first. */
  sourcesOf(domain: Domain): SourceListing[] {
    const sources = new Map(this.sourceStates().map((state) => [state.id, state]));
    return this.database.read(() =>
      this.#sourcesOf.all({ domain }).map(({ id, firstAt, readAt, ...listing }) => ({
        ...listing,
        ...listedByOf(sources.get(id), firstAt, readAt),
      })),
    );
  }

  /**
   * Every listed instance with the sources that have ever listed it or an alias of it, in the order of {@link domains}. Excludes sources of the
   * type `crawled`, which derive their lists from the other sources, and inactive ones, see `Sources.syncActive`.
   */
  *memberships(): Iterable<Membership> {
    const sources = this.sourceStates().filter(({ type, isActive }) => type !== 'crawled' && isActive);
    const active = new Map(sources.map(({ id, name }) => [id, name]));
    const sourceNamesOf = (ids: readonly number[]) => ids.flatMap((id) => active.get(id) ?? []);
    yield* this.database.stream(
      () => this.#listedWithSources({}),
      ({ id, domain, sources, hasOtherNames }) => ({
        domain,
        sources:
          hasOtherNames === 1
            ? sourceNamesOf(this.#sourcesOfInstance.all({ id, domain }).map(({ source }) => source))
            : sourceNamesOf(JSON.parse(sources) as number[]),
      }),
    );
  }

  /** The workers seen in the last 30 days, by name; empty when there were none. */
  workers(): WorkerRecord[] {
    return this.database.read(() => this.#crawler.workers());
  }

  /** The time at which Loopscout itself was last found to be offline; null when a host has answered since. */
  offlineSince(): number | null {
    return this.database.read(() => this.#crawler.offlineSince());
  }

  #uptimeDomain(domain: Domain): { id: number; was_ever_loops: number } {
    // No visit has the domain -1, so an unknown domain has no uptime.
    return this.#findUptime.get({ domain }) ?? { id: -1, was_ever_loops: 0 };
  }

  #readUptime({ id, was_ever_loops }: { id: number; was_ever_loops: number }, at: number): Uptime {
    const visits = this.#outcomes({ domain_id: id, from: at - UPTIME_MS, at });
    return uptimeOf(toUptimeVisits(visits, was_ever_loops === 1), at);
  }

  #missingOf(row: { id: number; via: Via | null; identified_as: Conclusive | null }, facts: InstanceFacts): string[] {
    const { id, via, identified_as: identifiedAs } = row;
    return this.database.read(() => {
      const visit = () => this.#lastOfInstance.get({ id });
      // The probe of a domain that runs Loops no longer is that of its present software.
      return missingFacts(facts, identifiedAs === 'loops' ? via : (visit()?.via ?? null), () => {
        const steps = visit()?.steps ?? null;
        return steps === null ? null : (Steps.parse(JSON.parse(steps)) as Step[]);
      });
    });
  }

  /** Adds the flags that depend on the other instances. */
  #withFlags(
    stored: KnownFacts,
    { registrable, isUnconfirmed }: { registrable: string; isUnconfirmed: boolean },
    at: number,
    { newest, isCrowded }: { newest: string | null; isCrowded: (registrableDomain: string) => boolean },
  ): KnownFacts {
    const hasCrowdedDomain = isCrowded(registrable);
    const { staleDays } = this.#flags;
    const derived = derivedFlags(stored, { at, staleDays, newest, hasCrowdedDomain, isUnconfirmed });
    if (derived.length === 0) return stored;
    return { ...stored, facts: { ...stored.facts, flags: [...stored.facts.flags, ...derived] } };
  }
}

function listedByOf(source: SourceState | undefined, firstAt: number, readAt: number): ListedBy {
  if (source === undefined) throw new Error('a listing refers to a source that is not stored');
  return { source: source.name, firstAt, lastAt: lastListedAt(readAt, source) };
}

const Flags = InstanceFlag.array().readonly();

/** Caches parsed flags: millions of visits share a few distinct lists. */
function createFlagReader(): (json: string | null) => VisitOutcome['flags'] {
  const cache = new Map<string, VisitOutcome['flags']>();
  return (json) => {
    if (json === null) return null;
    const cached = cache.get(json);
    if (cached !== undefined) return cached;
    const flags = Flags.parse(JSON.parse(json));
    cache.set(json, flags);
    return flags;
  };
}

/** The months from one time to another, inclusive; none when either is null. */
function monthsBetween(first: number | null, last: number | null): Month[] {
  if (first === null || last === null) return [];
  const months: Month[] = [];
  const end = monthOf(Math.max(first, last));
  for (let month = monthOf(Math.min(first, last)); month <= end; month = monthAfter(month)) months.push(month);
  return months;
}

/**
 * Yields the last sample of each day (UTC) and domain, given samples in order of domain and time. Compaction (`retention.usageDays`) keeps
 * the same ones.
 */
function* lastOfEachDay<Sample extends { at: number; domain?: Domain }>(
  samples: Iterable<Sample>,
): IterableIterator<Sample> {
  let last: Sample | null = null;
  for (const sample of samples) {
    if (last !== null && (last.domain !== sample.domain || dayOf(last) !== dayOf(sample))) yield last;
    last = sample;
  }
  if (last !== null) yield last;
}

const dayOf = ({ at }: { at: number }) => Math.floor(at / DAY_MS);

export interface KnownDomain extends DomainRecord {
  /** The sources that have ever listed it, by name. */
  readonly listedBy: readonly ListedBy[];
}

/** What a reader offers, without its connection: an export can read from elsewhere. */
export type StoreQueries = Pick<StoreReader, keyof StoreReader>;
