import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Domain } from '../../model/domain/domain.ts';
import { InstanceFlag } from '../../model/facts/instance-facts.ts';
import { type Month, monthAfter, monthsBetween, startOf } from '../../model/month.ts';
import { Step } from '../../model/step.ts';
import { DAY_MS, type EpochMs } from '../../model/time.ts';
import type { DocumentKind, Visit, VisitOutcome } from '../../model/visit.ts';
import { published } from '../domains/listed.ts';
import { Rows } from '../sqlite/database.ts';
import type { Compiler, QueryParameter } from '../sqlite/prepare.ts';
import { bodyOf } from './documents.ts';
import { idOf } from './domain-row.ts';
import { readFactSetText } from './facts-row.ts';
import { type Gap, Gaps } from './gaps.ts';
import { selectedCounts, toUsage } from './usage.ts';
import { VisitIds } from './visit-ids.ts';

/** A recorded visit; `documents` are ids for {@link VisitLog.document}. */
export interface StoredVisit extends Omit<Visit, 'documents' | 'host' | 'retryAfterMs' | 'robots' | 'steps'> {
  readonly id: number;
  /** Null once deleted by compaction. */
  readonly steps: Visit['steps'] | null;
  /** Another host that the instance names as its canonical host; null unless the verdict is `loops`. */
  readonly canonicalHost: Domain | null;
  readonly documents: Partial<Record<DocumentKind, number>>;
}

/** Visits get ids when they are recorded, so id order can differ from start order: by minutes, or by more after a clock change. */
const SLACK_MS = DAY_MS;

const outcomeFields = [
  'visits.at',
  'visits.duration_ms as durationMs',
  'visits.verdict',
  'visits.reason',
  'visits.via',
  'visits.software',
  'visits.version',
  'visits.alias_of as aliasOf',
] as const;

/**
 * Visits with their facts, counts, steps and documents. Documents come from `visits`, or from `latest_documents` for the domain's latest
 * visit that had documents.
 */
const selectVisits = (db: Compiler) =>
  db
    .selectFrom('visits')
    .leftJoin('fact_sets', 'fact_sets.id', 'visits.facts_id')
    .leftJoin('visit_steps', 'visit_steps.visit_id', 'visits.id')
    .leftJoin('usage', (join) =>
      join
        .onRef('usage.domain_id', '=', 'visits.domain_id')
        .onRef('usage.at', '=', 'visits.at')
        .onRef('usage.visit_id', '=', 'visits.id'),
    )
    .leftJoin('latest_documents as latest', (join) =>
      join.onRef('latest.domain_id', '=', 'visits.domain_id').onRef('latest.visit_id', '=', 'visits.id'),
    )
    .select(['visits.id', ...outcomeFields, 'visits.canonical_host as canonicalHost', 'fact_sets.facts'])
    .select(['visit_steps.steps', 'usage.at as counted_at', ...selectedCounts])
    .select((row) => [
      row.fn.coalesce('visits.config_document', 'latest.config_document').as('config'),
      row.fn.coalesce('visits.discovery_document', 'latest.discovery_document').as('discovery'),
      row.fn.coalesce('visits.nodeinfo_document', 'latest.nodeinfo_document').as('nodeinfo'),
    ]);

type VisitRow = Awaited<ReturnType<ReturnType<typeof selectVisits>['execute']>>[number];

function toStoredVisit(row: VisitRow, domain: Domain): StoredVisit {
  const { users, activeMonth, activeHalfyear, posts, counted_at, config, discovery, nodeinfo, ...visit } = row;
  const documents = Object.entries({ config, discovery, nodeinfo }).filter(([, id]) => id !== null);
  const counts = { users, activeMonth, activeHalfyear, posts, counted_at };
  return {
    ...visit,
    domain,
    facts: visit.facts === null ? null : readFactSetText(visit.facts, toUsage(counts)),
    steps: visit.steps === null ? null : parseSteps(visit.steps),
    documents: Object.fromEntries(documents),
  };
}

const Steps = z.array(Step);

export function parseSteps(json: string): Step[] {
  return Steps.parse(JSON.parse(json)) as Step[];
}

export class VisitLog extends Rows {
  readonly #ids = new VisitIds(this.database);
  readonly #gaps = new Gaps(this.database);
  readonly #of = this.database.prepare((db, parameter: QueryParameter<{ domain: Domain }>) =>
    selectVisits(db)
      .where('visits.domain_id', '=', idOf(db, parameter))
      .orderBy('visits.at', 'desc')
      .orderBy('visits.id', 'desc'),
  );
  readonly #outcomes = this.database.prepare(
    (db, parameter: QueryParameter<{ after: number; upTo: number; from: EpochMs; before: EpochMs }>) =>
      db
        .selectFrom('visits')
        .crossJoin('domains')
        .leftJoin('fact_sets', 'fact_sets.id', 'visits.facts_id')
        .whereRef('domains.id', '=', 'visits.domain_id')
        .where('visits.id', '>', parameter('after'))
        .where('visits.id', '<=', parameter('upTo'))
        .where('visits.at', '>=', parameter('from'))
        .where('visits.at', '<', parameter('before'))
        .where(published)
        .select(['visits.id', 'domains.domain', ...outcomeFields, 'visits.state'])
        .select(sql<string | null>`json_extract(fact_sets.facts, '$.flags')`.as('flags'))
        .orderBy('visits.id'),
  );
  readonly #first = this.database.prepare((db) => db.selectFrom('visits').select('at').orderBy('id').limit(1));
  readonly #firstChange = this.database.prepare((db) => db.selectFrom('changes').select('at').orderBy('id').limit(1));
  readonly #last = this.database.prepare((db) => db.selectFrom('visits').select('at').orderBy('id', 'desc').limit(1));
  readonly #start = this.database.prepare((db, parameter: QueryParameter<{ id: number }>) =>
    db.selectFrom('visits').select('at').where('id', '=', parameter('id')),
  );
  readonly #nextDocumented = this.database.prepare((db, parameter: QueryParameter<{ after: number }>) =>
    db
      .selectFrom('latest_documents')
      // A cross join forces SQLite to scan `latest_documents` first.
      .crossJoin('domains')
      .whereRef('domains.id', '=', 'latest_documents.domain_id')
      .where('latest_documents.domain_id', '>', parameter('after'))
      .select(['domains.id', 'domains.domain'])
      .orderBy('latest_documents.domain_id')
      .limit(sql.lit(1)),
  );
  readonly #withDocuments = this.database.prepare((db, parameter: QueryParameter<{ id: number }>) =>
    selectVisits(db)
      .where('visits.domain_id', '=', parameter('id'))
      .where(
        sql<boolean>`coalesce(
          latest.visit_id, visits.config_document, visits.discovery_document, visits.nodeinfo_document
        ) is not null`,
      )
      .orderBy('visits.at')
      .orderBy('visits.id'),
  );
  readonly #document = this.database.prepare((db, parameter: QueryParameter<{ id: number }>) =>
    db.selectFrom('documents').selectAll().where('id', '=', parameter('id')),
  );

  /** The visits of a domain, newest first. */
  of(domain: Domain): IterableIterator<StoredVisit> {
    return this.database.stream(this.#of.iterate({ domain }), (row) => toStoredVisit(row, domain));
  }

  /** The largest id ever given to a visit, deleted ones included, and the start of the last one still stored; null when none is stored. */
  last(): { readonly id: number; readonly at: EpochMs } | null {
    return this.database.read(() => {
      const at = this.#last.get({})?.at;
      // The largest id in use decreases when its domain is forgotten; the largest id ever assigned never does.
      return at === undefined ? null : { id: this.#ids.lastGiven(), at };
    });
  }

  /** The largest id ever given to a visit; 0 when there was none. Grows with every visit. */
  lastId(): number {
    return this.database.read(() => this.#ids.lastGiven());
  }

  /** The start of a visit; null when it is not stored. */
  startOf(id: number): EpochMs | null {
    return this.database.read(() => this.#start.get({ id })?.at ?? null);
  }

  /** The time of the first stored visit or change; null when there is none. Changes are stored forever. */
  firstRecord(): EpochMs | null {
    return this.database.read(() => {
      const times = [this.#first.get({}), this.#firstChange.get({})].flatMap((row) => row?.at ?? []);
      return times.length === 0 ? null : Math.min(...times);
    });
  }

  /** The times in which visits were due, but none began; oldest first. */
  gaps(): readonly Gap[] {
    return this.database.read(() => this.#gaps.all());
  }

  /** The first domain with an id above `after` whose documents are stored; null when there is none. Excludes opted-out domains. */
  nextDomainWithDocuments(after: number): { readonly id: number; readonly domain: Domain } | null {
    return this.database.read(() => this.#nextDocumented.get({ after }) ?? null);
  }

  /** Oldest first. */
  withDocuments({ id, domain }: { readonly id: number; readonly domain: Domain }): StoredVisit[] {
    return this.database.read(() => this.#withDocuments.all({ id }).map((row) => toStoredVisit(row, domain)));
  }

  /** A document as received, with its hexadecimal SHA-256; null when it is missing or damaged. */
  document(id: number): { readonly sha256: string; readonly body: Uint8Array } | null {
    return this.database.read(() => {
      const row = this.#document.get({ id });
      if (row === undefined) return null;
      const sha256 = Buffer.from(row.sha256).toString('hex');
      const body = bodyOf(row);
      return body === null || hash('sha256', body) !== sha256 ? null : { sha256, body: new Uint8Array(body) };
    });
  }

  /** All months from the first stored visit to the last. */
  months(): Month[] {
    return this.database.read(() => monthsBetween(this.#first.get({})?.at ?? null, this.#last.get({})?.at ?? null));
  }

  /** The visits of published domains that began in a month, in the order of recording. */
  *ofMonth(month: Month): Iterable<VisitOutcome> {
    const [from, before] = [startOf(month), startOf(monthAfter(month))];
    const range = this.database.read(() => ({
      after: this.#ids.lastBefore(from - SLACK_MS),
      upTo: this.#ids.lastBefore(before + SLACK_MS),
    }));
    const toFlags = createFlagReader();
    yield* this.database.stream(
      this.#outcomes.iterate({ ...range, from, before }),
      (row): VisitOutcome => ({ ...row, flags: toFlags(row.flags) }),
    );
  }
}

const Flags = InstanceFlag.array().readonly();

/** Caches parsed flags: millions of visits share a few distinct lists. */
function createFlagReader(): (json: string | null) => VisitOutcome['flags'] {
  const cache = new Map<string, VisitOutcome['flags']>();
  return (json) => {
    if (json === null) return null;
    const flags = cache.get(json) ?? Flags.parse(JSON.parse(json));
    cache.set(json, flags);
    return flags;
  };
}
