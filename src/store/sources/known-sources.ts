import { sql } from 'kysely';
import { z } from 'zod';
import type { Domain } from '../../model/domain/domain.ts';
import type { IsHidden } from '../../model/opt-outs/opted-out-references.ts';
import type { RunOutcome } from '../../model/run-outcome.ts';
import type { EpochMs } from '../../model/time.ts';
import type { EntryCounts } from '../domains/enter-from.ts';
import { listed, listedInstead } from '../domains/listed.ts';
import { type Database, Rows } from '../sqlite/database.ts';
import type { Compiler, QueryParameter } from '../sqlite/prepare.ts';
import { sourceNames } from './source-names.ts';
import type { RunEnd, SkippedSource, SourceIdentity } from './sources.ts';

/** A run of a source. */
export interface SourceRun extends EntryCounts, Omit<RunEnd, 'outcome' | 'etag' | 'lastModified' | 'notBefore'> {
  readonly id: number;
  readonly begunAt: EpochMs;
  /** Null while the run is in progress. For a broken run, the time at which the break was stored; null until then. */
  readonly endedAt: EpochMs | null;
  /** Null while the run is in progress. */
  readonly outcome: RunOutcome | null;
}

/** A source that was ever read, and its last runs. */
export interface KnownSource extends SourceIdentity {
  readonly id: number;
  /** Under which it is published, see {@link sourceNames}. */
  readonly name: string;
  /** Whether the settings have it, and enable it. */
  readonly isActive: boolean;
  /** Start of the first run. */
  readonly firstAt: EpochMs;
  /** The earliest next request, as requested by the server in the last run; null when it requested none. */
  readonly notBefore: EpochMs | null;
  readonly lastRun: SourceRun | null;
  /** The last run that was complete or unchanged. */
  readonly lastSuccess: SourceRun | null;
  /** The last complete run; used to detect a list that shrank. */
  readonly lastComplete: SourceRun | null;
  /** Validator of the last success, for a conditional request. Null if a full queue made that run omit domains, so the next run reads all. */
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** What a source contributed: counts of the known domains that it has ever listed. */
export interface SourceYield {
  readonly domains: number;
  /** Visited at least once. */
  readonly visited: number;
  /** The last conclusive verdict is `loops`, whether the instance is in the directory or not. */
  readonly loops: number;
  /** The part of `loops` that no other source lists. */
  readonly onlyHere: number;
  /** Domains in its queues that wait for their first visit. */
  readonly waiting: number;
}

/** When a source listed a domain. */
export interface ListedBy {
  /** The name under which the source is published. */
  readonly source: string;
  readonly firstAt: EpochMs;
  /** The last run that found it on the list, or the list unchanged. */
  readonly lastAt: EpochMs;
}

/** The sources in the directory: those active that have ever listed an instance, under any of its names. */
export interface InstanceSources {
  readonly domain: Domain;
  /** The published name of each source, in the order of their first runs; empty when no source lists it. */
  readonly sources: readonly string[];
}

const runFields = [
  'id',
  'begun_at as begunAt',
  'ended_at as endedAt',
  'outcome',
  'why',
  'requests',
  'bytes',
  'lines',
  'entered',
  'known',
  'queue_full as queueFull',
  'capped_by_domain as cappedByDomain',
  'opted_out as optedOut',
  'merged',
  'refused',
  'refused_by_reason as refusedByReason',
] as const;

const Counts = z.record(z.string(), z.number());

type RunRow = Omit<SourceRun, 'refusedByReason'> & { refusedByReason: string };

function toRun(row: RunRow): SourceRun {
  return { ...row, refusedByReason: Counts.parse(JSON.parse(row.refusedByReason)) };
}

const selectRuns = (db: Compiler) => db.selectFrom('source_runs').select(runFields).orderBy('id', 'desc');

type OfSource = { source: number };

const selectLast = (
  db: Compiler,
  parameter: QueryParameter<OfSource>,
  outcomes: readonly ('complete' | 'unchanged')[],
) =>
  selectRuns(db)
    .where('source_id', '=', parameter('source'))
    .where(
      'outcome',
      'in',
      outcomes.map((outcome) => sql.lit(outcome)),
    )
    .limit(sql.lit(1));

const isLoops = sql<number>`domains.identified_as = 'loops'`;
const isOnlyHere = sql<number>`not exists (
  select 1 from domain_sources as other where other.domain_id = domains.id and other.source_id <> listing.source_id
)`;
const sum = (condition: typeof isLoops) => sql<number>`sum(ifnull(${condition}, 0))`;

/** The sources that were ever read, with their runs and what they list. */
export class KnownSources extends Rows {
  readonly #isHidden: IsHidden;
  readonly #all = this.database.prepare((db) =>
    db
      .selectFrom('sources')
      .select(['id', 'key', 'type', 'label', 'first_at as firstAt', 'not_before as notBefore', 'inactive'])
      .orderBy('id'),
  );
  readonly #lastRun = this.database.prepare((db, parameter: QueryParameter<OfSource>) =>
    selectRuns(db).where('source_id', '=', parameter('source')).limit(sql.lit(1)),
  );
  readonly #lastSuccess = this.database.prepare((db, parameter: QueryParameter<OfSource>) =>
    selectLast(db, parameter, ['complete', 'unchanged']).select(['etag', 'last_modified as lastModified']),
  );
  readonly #lastComplete = this.database.prepare((db, parameter: QueryParameter<OfSource>) =>
    selectLast(db, parameter, ['complete']),
  );
  readonly #runsOf = this.database.prepare((db, parameter: QueryParameter<{ key: string }>) =>
    selectRuns(db).where('source_id', '=', (row) =>
      row.selectFrom('sources').select('id').where('key', '=', parameter('key')),
    ),
  );
  readonly #skipped = this.database.prepare((db) =>
    db.selectFrom('skipped_sources').select(['key', 'at', 'why']).orderBy('key'),
  );
  /** One pass over all listings. */
  readonly #yields = this.database.prepare((db) =>
    db
      .selectFrom('domain_sources as listing')
      .crossJoin('domains')
      .whereRef('domains.id', '=', 'listing.domain_id')
      .select(['listing.source_id as source', (row) => row.fn.countAll<number>().as('domains')])
      .select(sum(sql`domains.last_visit is not null`).as('visited'))
      .select(sum(isLoops).as('loops'))
      .select(sum(sql`${isLoops} and ${isOnlyHere}`).as('onlyHere'))
      .groupBy('listing.source_id'),
  );
  readonly #waiting = this.database.prepare((db) =>
    db
      .selectFrom('domains')
      .select(['queued_for_source_id as source', (row) => row.fn.countAll<number>().as('waiting')])
      .where('last_visit', 'is', null)
      .where('queued_for_source_id', 'is not', null)
      .groupBy('queued_for_source_id')
      .$narrowType<{ source: number }>(),
  );
  readonly #everListing = this.database.prepare((db, parameter: QueryParameter<{ domain: Domain }>) =>
    db
      .selectFrom('domains')
      .innerJoin('domain_sources', 'domain_sources.domain_id', 'domains.id')
      .select(['source_id as id', 'domain_sources.software', 'first_at as firstAt', 'last_at as readAt'])
      .where('domains.domain', '=', parameter('domain'))
      .orderBy('first_at')
      .orderBy('source_id'),
  );
  /** `hasOtherNames`: other domains may be names of the instance. */
  readonly #listed = this.database.prepare((db) =>
    db
      .selectFrom('domains')
      .select(['id', 'domain'])
      .select([
        sql<string>`(
          select json_group_array(source_id) from (select source_id from domain_sources where domain_id = domains.id order by source_id)
        )`.as('sources'),
        sql<0 | 1>`(
          exists (select 1 from domains as alias where alias.alias_of = domains.domain)
          or exists (select 1 from domains as other where other.canonical_host = domains.domain and other.id <> domains.id)
        )`.as('hasOtherNames'),
      ])
      .where(listed)
      .orderBy('domain'),
  );
  /** Under its listed domain, its other domain (see {@link listedInstead}), or an alias of these over any number of redirects. */
  readonly #sourcesOfInstance = this.database.prepare(
    (db, parameter: QueryParameter<{ id: number; domain: Domain }>) => {
      const names = sql<{ id: number }>`(
        with recursive names(id, domain) as (
          select ${parameter('id')}, ${parameter('domain')}
          union
          select domains.id, domains.domain from domains
            where domains.canonical_host = ${parameter('domain')} and ${listedInstead} = ${parameter('domain')}
          union
          select alias.id, alias.domain from names cross join domains as alias
            where alias.alias_of = names.domain and alias.identified_as = 'alias'
        )
        select id from names
      )`;
      return db
        .selectFrom(names.as('names'))
        .crossJoin('domain_sources')
        .whereRef('domain_sources.domain_id', '=', 'names.id')
        .select('domain_sources.source_id as source')
        .distinct()
        .orderBy('source');
    },
  );

  constructor(database: Database, isHidden: IsHidden) {
    super(database);
    this.#isHidden = isHidden;
  }

  /** In the order of the first runs. */
  all(): KnownSource[] {
    return this.database.read(() => {
      const rows = this.#all.all({});
      const names = sourceNames(rows, this.#isHidden);
      return rows.map(({ inactive, ...source }) => {
        const of = { source: source.id };
        const [run, success, complete] = [this.#lastRun.get(of), this.#lastSuccess.get(of), this.#lastComplete.get(of)];
        const { etag, lastModified } = success?.queueFull === 0 ? success : { etag: null, lastModified: null };
        return {
          ...source,
          name: names.get(source.id) ?? source.key,
          isActive: inactive === 0,
          lastRun: run === undefined ? null : toRun(run),
          lastSuccess: success === undefined ? null : toRun(success),
          lastComplete: complete === undefined ? null : toRun(complete),
          etag,
          lastModified,
        };
      });
    });
  }

  /** Like {@link all}, with what each contributed. Reads every listing: one or two seconds for a million. */
  yields(): (KnownSource & SourceYield)[] {
    return this.database.read(() => {
      const none = { domains: 0, visited: 0, loops: 0, onlyHere: 0 };
      const counts = new Map(this.#yields.all({}).map(({ source, ...yielded }) => [source, yielded]));
      const waiting = new Map(this.#waiting.all({}).map((row) => [row.source, row.waiting]));
      return this.all().map((source) => ({
        ...source,
        ...(counts.get(source.id) ?? none),
        waiting: waiting.get(source.id) ?? 0,
      }));
    });
  }

  /** The runs of a source, newest first. */
  runsOf(key: string): IterableIterator<SourceRun> {
    return this.database.stream(this.#runsOf.iterate({ key }), toRun);
  }

  /** Sources that were skipped when they were last due. */
  skipped(): SkippedSource[] {
    return this.database.read(() => this.#skipped.all({}));
  }

  /** The sources that have ever listed a domain, oldest listing first, with the software that each reports; null when it reports none. */
  everListing(domain: Domain): (ListedBy & { readonly key: string; readonly software: string | null })[] {
    const sources = this.byId();
    return this.database.read(() =>
      this.#everListing.all({ domain }).map(({ id, firstAt, readAt, software }) => {
        const source = sources.get(id);
        return { key: source?.key ?? '', ...listedBy(source, firstAt, readAt), software };
      }),
    );
  }

  byId(): ReadonlyMap<number, KnownSource> {
    return new Map(this.all().map((source) => [source.id, source]));
  }

  /**
   * Every listed instance with the sources that have ever listed it or an alias of it, in the order of domains. Excludes sources of the
   * type `crawled`, which derive their lists from the other sources, and inactive ones, see `Sources.syncActive`.
   */
  *ofInstances(): Iterable<InstanceSources> {
    const sources = this.all().filter(({ type, isActive }) => type !== 'crawled' && isActive);
    const names = new Map(sources.map(({ id, name }) => [id, name]));
    yield* this.database.stream(this.#listed.iterate({}), ({ id, domain, sources: own, hasOtherNames }) => {
      const ids =
        hasOtherNames === 1
          ? this.#sourcesOfInstance.all({ id, domain }).map(({ source }) => source)
          : (JSON.parse(own) as number[]);
      return { domain, sources: ids.flatMap((source) => names.get(source) ?? []) };
    });
  }
}

/** @param readAt when a run last read the domain on the list; a run that found the list unchanged did not read it. */
export function listedBy(source: KnownSource | undefined, firstAt: EpochMs, readAt: EpochMs): ListedBy {
  if (source === undefined) throw new Error('a listing refers to a source that is not stored');
  const { name, lastComplete, lastSuccess } = source;
  const isOnTheList = lastComplete !== null && readAt >= lastComplete.begunAt;
  return { source: name, firstAt, lastAt: isOnTheList ? Math.max(readAt, lastSuccess?.begunAt ?? readAt) : readAt };
}
