import { sql } from 'kysely';
import type { Change } from '../../model/change.ts';
import type { Domain } from '../../model/domain/domain.ts';
import type { Conclusive } from '../../model/domain-record.ts';
import { derivedFlags } from '../../model/facts/derived-flags.ts';
import type { InstanceFacts } from '../../model/facts/instance-facts.ts';
import type { KnownFacts } from '../../model/facts/known-facts.ts';
import { missingFacts } from '../../model/facts/missing.ts';
import { GROWTH_DAYS, type InstanceHistory, type InstanceRecord, isUnconfirmed } from '../../model/instance-record.ts';
import { DAY_MS, type EpochMs } from '../../model/time.ts';
import type { Via } from '../../model/verdict.ts';
import type { CrawlerState } from '../crawler.ts';
import { everLoops, listed } from '../domains/listed.ts';
import type { Changes } from '../history/changes.ts';
import type { UsageHistory } from '../history/usage-history.ts';
import { type Database, Rows } from '../sqlite/database.ts';
import type { Compiler, QueryParameter } from '../sqlite/prepare.ts';
import { qualifiedDomainColumns, toDomainRecord } from './domain-row.ts';
import { factsColumns, toKnownFacts } from './facts-row.ts';
import type { Uptimes } from './uptimes.ts';
import { parseSteps } from './visit-log.ts';

/** Thresholds of the flags that depend on other instances or on age. */
export interface FlagOptions {
  /** Number of listed instances under one registrable domain from which each is flagged `crowded-domain`. */
  crowdedFrom: number;
  /** Age of a fact, in days, above which its instance is flagged `stale-facts`. */
  staleDays: number;
}

const DEFAULT_FLAGS: FlagOptions = { crowdedFrom: 10, staleDays: 7 };

const selectFacts = (db: Compiler) =>
  db
    .selectFrom('domains')
    .innerJoin('facts', 'facts.domain_id', 'domains.id')
    .innerJoin('fact_sets', 'fact_sets.id', 'facts.facts_id')
    .select(factsColumns);

const selectHistories = (db: Compiler) =>
  everLoops(db)
    .crossJoin('fact_sets')
    .whereRef('fact_sets.id', '=', 'facts.facts_id')
    .select(['domains.id', ...qualifiedDomainColumns])
    .select(factsColumns);
type HistoryRow = Awaited<ReturnType<ReturnType<typeof selectHistories>['execute']>>[number];

/** What the flags of an instance are derived from besides its facts. */
interface FlagContext {
  readonly at: EpochMs;
  readonly newest: string | null;
  readonly isCrowded: (registrableDomain: string) => boolean;
}

type Parts = { crawler: CrawlerState; uptimes: Uptimes; changes: Changes; usage: UsageHistory };

/** The domains that were ever identified as Loops, with their last good facts. */
export class KnownInstances extends Rows {
  readonly #flags: FlagOptions;
  readonly #parts: Parts;
  readonly #listed = this.database.prepare((db) =>
    selectFacts(db)
      .select([...qualifiedDomainColumns, 'domains.id', 'registrable_domain'])
      .where(listed)
      .orderBy('domain'),
  );
  readonly #facts = this.database.prepare((db, parameter: QueryParameter<{ domain: Domain }>) =>
    selectFacts(db)
      .select(['registrable_domain', 'identified_as as identifiedAs', 'state', 'failures'])
      .where('domain', '=', parameter('domain')),
  );
  readonly #histories = this.database.prepare(selectHistories);
  readonly #history = this.database.prepare((db, parameter: QueryParameter<{ domain: Domain }>) =>
    selectHistories(db).where('domains.domain', '=', parameter('domain')),
  );
  readonly #crowded = this.database.prepare((db, parameter: QueryParameter<{ from: number }>) =>
    db
      .selectFrom('domains')
      .select('registrable_domain as name')
      .where(listed)
      .groupBy('registrable_domain')
      .having((row) => row.fn.countAll<number>(), '>=', parameter('from')),
  );
  readonly #sharing = this.database.prepare((db, parameter: QueryParameter<{ name: string; most: number }>) =>
    db
      .selectFrom('domains')
      .select('domains.id')
      .where('registrable_domain', '=', parameter('name'))
      .where(listed)
      .limit(parameter('most')),
  );
  /** The last visit that found the instance. */
  readonly #lastVisit = this.database.prepare((db, parameter: QueryParameter<{ id: number }>) =>
    db
      .selectFrom('visits')
      .leftJoin('visit_steps', 'visit_steps.visit_id', 'visits.id')
      .select(['visits.via', 'visit_steps.steps'])
      .where('domain_id', '=', parameter('id'))
      .where('facts_id', 'is not', null)
      .orderBy('at', 'desc')
      .limit(sql.lit(1)),
  );

  constructor(database: Database, parts: Parts, flags = DEFAULT_FLAGS) {
    super(database);
    this.#parts = parts;
    this.#flags = flags;
  }

  /**
   * The listed instances in the order of domains; uptime, `crowded-domain`, `outdated` and `stale-facts` as of `at`.
   */
  *listed(at: EpochMs): Iterable<InstanceRecord> {
    const crowded = this.database.read(() => this.#crowded.all({ from: this.#flags.crowdedFrom }));
    const names = new Set(crowded.map(({ name }) => name));
    const newest = this.#parts.crawler.newestRelease()?.version ?? null;
    const context = { at, newest, isCrowded: (name: string) => names.has(name) };
    const then = at - GROWTH_DAYS * DAY_MS;
    const before = { from: then - 7 * DAY_MS, before: then + 1 };
    yield* this.database.stream(this.#listed.iterate({}), (row) => {
      const record = toDomainRecord(row);
      const known = toKnownFacts(row);
      return {
        ...record,
        ...this.#withFlags(known, row.registrable_domain, isUnconfirmed(record), context),
        uptime: this.#parts.uptimes.ofRow(row, at),
        usageBefore: this.#parts.usage.lastIn(row.id, before),
        missing: this.#missingOf(row, known.facts),
      };
    });
  }

  /**
   * The last good facts of an instance, listed or not; null for a domain that was never identified as Loops. With `at`, includes the
   * derived flags of {@link listed}.
   *
   * @param newest the newest version, null when unknown. Default: the newest release, whose search may read every listed instance.
   */
  factsOf(domain: Domain, at?: EpochMs, newest?: string | null): KnownFacts | null {
    return this.database.read(() => {
      const row = this.#facts.get({ domain });
      if (row === undefined) return null;
      const stored = toKnownFacts(row);
      if (at === undefined) return stored;
      const most = this.#flags.crowdedFrom;
      return this.#withFlags(stored, row.registrable_domain, isUnconfirmed(row), {
        at,
        newest: newest === undefined ? (this.#parts.crawler.newestRelease()?.version ?? null) : newest,
        isCrowded: (name) => this.#sharing.all({ name, most }).length >= most,
      });
    });
  }

  /** The published domains that ever were Loops, in the order of domains. */
  histories(): Iterable<InstanceHistory> {
    return this.database.stream(this.#histories.iterate({}), (row) => this.#toHistory(row));
  }

  /** One of {@link histories}; null when the domain is not among them. */
  history(domain: Domain): InstanceHistory | null {
    return this.database.read(() => {
      const row = this.#history.get({ domain });
      return row === undefined ? null : this.#toHistory(row);
    });
  }

  #toHistory(row: HistoryRow): InstanceHistory {
    const missingOf = (facts: InstanceFacts) => this.#missingOf(row, facts);
    let changes: readonly Change[] | undefined;
    return {
      record: toDomainRecord(row),
      facts: toKnownFacts(row).facts,
      checkedAt: row.checked_at,
      get missing() {
        return missingOf(this.facts);
      },
      changes: () => (changes ??= this.#parts.changes.ofInstance(row.id)),
      usage: () => this.#parts.usage.ofInstance(row.id),
    };
  }

  #missingOf(row: { id: number; via: Via | null; identified_as: Conclusive | null }, facts: InstanceFacts): string[] {
    const { id, via, identified_as: identifiedAs } = row;
    return this.database.read(() => {
      const visit = () => this.#lastVisit.get({ id });
      // The probe of a domain that runs Loops no longer is that of its present software.
      return missingFacts(facts, identifiedAs === 'loops' ? via : (visit()?.via ?? null), () => {
        const steps = visit()?.steps ?? null;
        return steps === null ? null : parseSteps(steps);
      });
    });
  }

  /** Adds the flags that depend on the other instances and on age. */
  #withFlags(
    stored: KnownFacts,
    registrableDomain: string,
    unconfirmed: boolean,
    { at, newest, isCrowded }: FlagContext,
  ): KnownFacts {
    const { staleDays } = this.#flags;
    const hasCrowdedDomain = isCrowded(registrableDomain);
    const derived = derivedFlags(stored, { at, staleDays, newest, hasCrowdedDomain, isUnconfirmed: unconfirmed });
    if (derived.length === 0) return stored;
    return { ...stored, facts: { ...stored.facts, flags: [...stored.facts.flags, ...derived] } };
  }
}
