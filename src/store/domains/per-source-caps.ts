import { type RawBuilder, sql } from 'kysely';
import { type Domain, hostOf } from '../../model/domain/domain.ts';
import { Rows } from '../sqlite/database.ts';
import { type Compiler, countUpTo, type QueryParameter } from '../sqlite/prepare.ts';

/** Limits on the domains that one source may discover (0 means no limit). */
export interface Caps {
  /** Maximum domains discovered by the source under one registrable domain. */
  readonly mostPerRegistrable: number;
  /** Maximum domains with a port discovered by the source on one host. */
  readonly mostPortsPerHost: number;
}

/** A domain to enter. */
interface Entrant {
  domain: Domain;
  registrable: string;
  /** Null when another host led to the domain. */
  source: number | null;
}

/**
 * Limits the domains that one source may discover under a registrable domain, and those with a port on one host. Domains discovered by
 * other sources do not count, so that a source that invents names exhausts only its own limits.
 */
export class PerSourceCaps extends Rows {
  readonly #ofRegistrable = this.database.prepare(
    (db, parameter: QueryParameter<Discovered & { registrable: string }>) =>
      countDiscovered(db, parameter, sql`registrable_domain = ${parameter('registrable')}`),
  );
  readonly #withPort = this.database.prepare((db, parameter: QueryParameter<Discovered & { host: string }>) =>
    // ";" follows ":" in ASCII.
    countDiscovered(db, parameter, sql`domain > ${parameter('host')} || ':' and domain < ${parameter('host')} || ';'`),
  );
  readonly #cache = new Map<string, number>();

  isReached({ domain, registrable, source }: Entrant, { mostPerRegistrable, mostPortsPerHost }: Caps): boolean {
    const host = hostOf(domain);
    if (host !== domain && mostPortsPerHost > 0) {
      const count = () => this.#withPort.get({ host, source, most: mostPortsPerHost });
      if (this.#cached(`${host}:`, count) >= mostPortsPerHost) return true;
    }
    if (mostPerRegistrable === 0) return false;
    const count = () => this.#ofRegistrable.get({ registrable, source, most: mostPerRegistrable });
    return this.#cached(registrable, count) >= mostPerRegistrable;
  }

  /** Counts a domain that was entered. */
  add({ domain, registrable }: Entrant): void {
    const host = hostOf(domain);
    for (const name of host === domain ? [registrable] : [registrable, `${host}:`]) {
      const counted = this.#cache.get(name);
      if (counted !== undefined) this.#cache.set(name, counted + 1);
    }
  }

  /** Clears the cached counts, which are valid within one transaction. */
  clear(): void {
    this.#cache.clear();
  }

  #cached(name: string, count: () => { count: number } | undefined): number {
    const counted = this.#cache.get(name) ?? count()?.count ?? 0;
    this.#cache.set(name, counted);
    return counted;
  }
}

/** By a source; null: by no source. */
type Discovered = { source: number | null; most: number };

/** The number of domains under a name that a source discovered, counted up to `most`. */
const countDiscovered = <Parameters extends Discovered>(
  db: Compiler,
  parameter: QueryParameter<Parameters>,
  isUnderName: RawBuilder<unknown>,
) =>
  countUpTo(
    db,
    db
      .selectFrom('domains')
      .select('id')
      .where(sql<boolean>`${isUnderName} and discovered_by_source_id is ${parameter('source')}`),
    sql`${parameter('most')}`,
  );
