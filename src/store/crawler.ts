import { sql } from 'kysely';
import { z } from 'zod';
import { newestVersion } from '../model/facts/version-order.ts';
import { DAY_MS, type EpochMs } from '../model/time.ts';
import { WorkerRecord } from '../model/worker.ts';
import { listed } from './domains/listed.ts';
import { Metadata } from './metadata.ts';
import { Rows } from './sqlite/database.ts';
import type { QueryParameter } from './sqlite/prepare.ts';
import { VisitIds } from './visits/visit-ids.ts';

/** The process that crawls with a database. */
export const CrawlingProcess = z.object({
  /** The command, such as `run`. */
  command: z.string(),
  pid: z.number(),
  /** Milliseconds since the epoch. */
  since: z.number(),
});
export type CrawlingProcess = z.infer<typeof CrawlingProcess>;

/** The newest version of the software: released by its project, or run by listed instances under at least two registrable domains. */
export interface NewestRelease {
  readonly version: string;
  readonly from: 'release' | 'crawl';
}

/** The newest release published by the project, and when that was checked. */
const StoredRelease = z.object({ version: z.string(), at: z.number() });
/** The last time that Loopscout itself was offline, and the last visit recorded before that. */
const Offline = z.object({ at: z.number(), lastVisitId: z.number() });
const Workers = z.array(WorkerRecord);

const LastExport = z.object({ revision: z.number(), content: z.unknown() });

/** Workers not seen for this long are dropped: in containers, each restart may produce a new name. */
const WORKER_KEPT_MS = 30 * DAY_MS;

/** What the crawling process stores of itself and of the world as a whole. */
export class CrawlerState extends Rows {
  readonly #metadata = new Metadata(this.database);
  readonly #ids = new VisitIds(this.database);
  readonly #anyVisitAfter = this.database.prepare((db, parameter: QueryParameter<{ id: number }>) =>
    db.selectFrom('visits').select('id').where('id', '>', parameter('id')).limit(sql.lit(1)),
  );
  readonly #answeredVisitAfter = this.database.prepare((db, parameter: QueryParameter<{ id: number }>) =>
    db
      .selectFrom('visits')
      .select('id')
      .where('id', '>', parameter('id'))
      .where('verdict', '<>', sql.lit('unreachable' as const))
      .where('reason', '<>', sql.lit('forbidden-address' as const))
      .limit(sql.lit(1)),
  );
  readonly #latestRelease = this.database.prepare((db) =>
    db.selectFrom('releases').select('version').orderBy('at', 'desc').limit(sql.lit(1)),
  );
  readonly #insertRelease = this.database.prepare((db, parameter: QueryParameter<{ version: string; at: number }>) =>
    db
      .insertInto('releases')
      .values({ version: parameter('version'), at: parameter('at') })
      .orReplace(),
  );
  readonly #versionsInUse = this.database.prepare((db) =>
    db
      .selectFrom('domains')
      .select([sql<string>`version`.as('version'), 'registrable_domain as registrableDomain'])
      .distinct()
      .where('version', 'is not', null)
      .where(listed),
  );

  /** What the process that crawls, or crawled last, stored of itself. */
  process(): CrawlingProcess | null {
    return this.database.read(() => this.#metadata.get('crawler', CrawlingProcess));
  }

  recordProcess(crawler: CrawlingProcess): void {
    this.database.write(() => this.#metadata.set('crawler', crawler));
  }

  /** Grows with every transaction that changed a row. */
  revision(): number {
    return this.database.read(() => this.database.revision());
  }

  /** Stores what was exported. @param revision the revision before the export read anything. */
  recordExport(revision: number, content: unknown): void {
    this.database.write(() => {
      // This write makes a revision itself.
      const isCurrent = revision === this.database.revision();
      this.#metadata.set('last-export', { revision: isCurrent ? revision + 1 : revision, content });
    });
  }

  /** What {@link recordExport} stored last, if nothing was written since the export; null otherwise. */
  currentExport(): unknown {
    return this.database.read(() => {
      const last = this.#metadata.get('last-export', LastExport);
      return last?.revision === this.database.revision() ? last.content : null;
    });
  }

  /** Stores that Loopscout itself was offline at a time; the record is valid until a host answers a visit. */
  recordOffline(at: EpochMs): void {
    this.database.write(() => this.#metadata.set('offline', { at, lastVisitId: this.#ids.lastGiven() }));
  }

  /**
   * The last time that Loopscout was offline; null when it never was, or when a host has answered a visit since. A visit to an
   * unreachable host or a forbidden address (as behind a captive portal) does not count. If all later visits were purged, one of them is
   * assumed to have been answered.
   */
  offlineSince(): EpochMs | null {
    return this.database.read(() => {
      const offline = this.#metadata.get('offline', Offline);
      if (offline === null) return null;
      const after = { id: offline.lastVisitId };
      if (this.#answeredVisitAfter.get(after) !== undefined) return null;
      const isLast = offline.lastVisitId === this.#ids.lastGiven();
      return isLast || this.#anyVisitAfter.get(after) !== undefined ? offline.at : null;
    });
  }

  /** Stores the newest release of the software, as published by its project; replaces the previous one. */
  recordRelease(version: string, at: EpochMs): void {
    this.database.write(() => {
      this.#metadata.set('newest-release', { version, at });
      if (this.#latestRelease.get({})?.version !== version) this.#insertRelease.run({ version, at });
    });
  }

  /** The recorded release, else the newest version that listed instances run; null when both are unknown. May read every listed instance. */
  newestRelease(): NewestRelease | null {
    return this.database.read(() => {
      const release = this.#metadata.get('newest-release', StoredRelease);
      if (release !== null) return { version: release.version, from: 'release' };
      const version = newestVersion(this.#versionsInUse.all({}));
      return version === null ? null : { version, from: 'crawl' };
    });
  }

  /** The workers seen in the last 30 days, by name; empty when there were none. */
  workers(): WorkerRecord[] {
    return this.database.read(() => this.#metadata.get('workers', Workers) ?? []);
  }

  /** Adds the counts of workers to the stored ones, and replaces their other fields. */
  recordWorkers(seen: readonly WorkerRecord[]): void {
    this.database.write(() => {
      const workers = new Map(this.workers().map((worker) => [worker.name, worker]));
      for (const worker of seen) {
        const { visits = 0, errors = 0 } = workers.get(worker.name) ?? {};
        workers.set(worker.name, { ...worker, visits: visits + worker.visits, errors: errors + worker.errors });
      }
      const now = Math.max(...seen.map(({ lastSeen }) => lastSeen));
      const kept = [...workers.values()].filter(({ lastSeen }) => now - lastSeen < WORKER_KEPT_MS);
      this.#metadata.set(
        'workers',
        kept.sort((a, b) => (a.name < b.name ? -1 : 1)),
      );
    });
  }
}
