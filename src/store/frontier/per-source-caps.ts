import { sql } from 'kysely';
import { type Domain, hostOf } from '../../model/domain/domain.ts';
import { Rows } from '../sqlite/database.ts';
import type { Compiler, Prepared, QueryParameter } from '../sqlite/prepare.ts';

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
  readonly #anyOfRegistrable = this.database.prepare((db, parameter: QueryParameter<OfRegistrable>) =>
    selectOne(ofRegistrable(db, parameter)),
  );
  readonly #countOfRegistrable = this.database.prepare(selectDiscovered);
  readonly #anyOfHost = this.database.prepare((db, parameter: QueryParameter<OfHost>) =>
    selectOne(ofHost(db, parameter)),
  );
  readonly #countOfHost = this.database.prepare(selectDiscoveredPorts);
  readonly #cache = new Map<string, number>();

  isReached({ domain, registrable, source }: Entrant, { mostPerRegistrable, mostPortsPerHost }: Caps): boolean {
    const prefix = portPrefix(domain);
    if (prefix !== null && mostPortsPerHost > 0) {
      // ";" follows ":" in ASCII.
      const key = { first: prefix, beyond: `${hostOf(domain)};`, source, most: mostPortsPerHost };
      if (this.#count(prefix, this.#anyOfHost, this.#countOfHost, key) >= mostPortsPerHost) return true;
    }
    if (mostPerRegistrable === 0) return false;
    const key = { registrable, source, most: mostPerRegistrable };
    return this.#count(registrable, this.#anyOfRegistrable, this.#countOfRegistrable, key) >= mostPerRegistrable;
  }

  /** Counts a domain that was entered. */
  add({ domain, registrable }: Entrant): void {
    for (const name of [registrable, portPrefix(domain)]) {
      const cached = name === null ? undefined : this.#cache.get(name);
      if (name !== null && cached !== undefined) this.#cache.set(name, cached + 1);
    }
  }

  /** Clears the cached counts, which are valid within one transaction. */
  clear(): void {
    this.#cache.clear();
  }

  /** First checks whether there is any: usually there is none, and the check is cheaper than counting. */
  #count<Key extends object>(
    name: string,
    findAny: Prepared<Key, object>,
    countDiscovered: Prepared<Key, { count: number }>,
    key: Key,
  ): number {
    const cached = this.#cache.get(name);
    if (cached !== undefined) return cached;
    const counted = findAny.get(key) === undefined ? 0 : (countDiscovered.get(key)?.count ?? 0);
    this.#cache.set(name, counted);
    return counted;
  }
}

/** The prefix of all domains with a port on the same host; null when the domain has no port. */
function portPrefix(domain: Domain): string | null {
  const host = hostOf(domain);
  return host === domain ? null : `${host}:`;
}

type Discovered = { source: number | null };
type OfRegistrable = Discovered & { registrable: string; most: number };
type OfHost = Discovered & { first: string; beyond: string; most: number };

/** The domains of a registrable domain that a source (null: no source) discovered. */
const ofRegistrable = (db: Compiler, parameter: QueryParameter<Discovered & { registrable: string }>) =>
  db
    .selectFrom('domains')
    .select(sql<number>`1`.as('one'))
    .where('registrable_domain', '=', parameter('registrable'))
    .where('discovered_by_source_id', 'is', parameter('source'));

/** The domains with a port on one host, which sort between `first` and `beyond`, that a source (null: no source) discovered. */
const ofHost = (db: Compiler, parameter: QueryParameter<Discovered & { first: string; beyond: string }>) =>
  db
    .selectFrom('domains')
    .select(sql<number>`1`.as('one'))
    .where('domain', '>', sql<Domain>`${parameter('first')}`)
    .where('domain', '<', sql<Domain>`${parameter('beyond')}`)
    .where('discovered_by_source_id', 'is', parameter('source'));

type Domains = ReturnType<typeof ofRegistrable>;

const selectOne = (domains: Domains) => domains.limit(sql.lit(1));

const selectCount = (db: Compiler, domains: Domains, most: ReturnType<QueryParameter<{ most: number }>>) =>
  db.selectFrom(domains.limit(most).as('discovered')).select((row) => row.fn.countAll<number>().as('count'));

/** The number of domains of a registrable domain that a source discovered, counted up to `most`. */
export const selectDiscovered = (db: Compiler, parameter: QueryParameter<OfRegistrable>) =>
  selectCount(db, ofRegistrable(db, parameter), parameter('most'));

/** The number of domains with a port on one host that a source discovered, counted up to `most`. */
export const selectDiscoveredPorts = (db: Compiler, parameter: QueryParameter<OfHost>) =>
  selectCount(db, ofHost(db, parameter), parameter('most'));
