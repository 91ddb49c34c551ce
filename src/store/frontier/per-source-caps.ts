import { sql } from 'kysely';
import { type Domain, hostOf } from '../../model/domain/domain.ts';
import { type Compiler, type Prepared, prepare, type QueryParameter } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import type { EntryLimits } from './candidate.ts';

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
export interface PerSourceCaps {
  isReached(entrant: Entrant, limits: Pick<EntryLimits, 'mostPerRegistrable' | 'mostPortsPerHost'>): boolean;
  /** Counts a domain that was entered. */
  add(entrant: Entrant): void;
  /** Clears the cached counts, which are valid within one transaction. */
  clear(): void;
}

export function createPerSourceCaps(sqlite: Sqlite, db: Compiler): PerSourceCaps {
  type OfRegistrable = Discovered & { registrable: string; most: number };
  const anyOfRegistrable = prepare(sqlite, (parameter: QueryParameter<OfRegistrable>) =>
    selectOne(ofRegistrable(db, parameter)),
  );
  const countOfRegistrable = prepare(sqlite, (parameter: QueryParameter<OfRegistrable>) =>
    selectDiscovered(db, parameter),
  );
  type OfHost = Discovered & { first: string; beyond: string; most: number };
  const anyOfHost = prepare(sqlite, (parameter: QueryParameter<OfHost>) => selectOne(ofHost(db, parameter)));
  const countOfHost = prepare(sqlite, (parameter: QueryParameter<OfHost>) => selectDiscoveredPorts(db, parameter));
  const cache = new Map<string, number>();

  /** First checks whether there is any: usually there is none, and the check is cheaper than counting. */
  const count = <Key extends object>(
    name: string,
    findAny: Prepared<Key, object>,
    countDiscovered: Prepared<Key, { count: number }>,
    key: Key,
  ): number => {
    const cached = cache.get(name);
    if (cached !== undefined) return cached;
    const counted = findAny.get(key) === undefined ? 0 : (countDiscovered.get(key)?.count ?? 0);
    cache.set(name, counted);
    return counted;
  };
  return {
    isReached({ domain, registrable, source }, { mostPerRegistrable, mostPortsPerHost }) {
      const prefix = portPrefix(domain);
      if (prefix !== null && mostPortsPerHost > 0) {
        // ";" follows ":" in ASCII.
        const key = { first: prefix, beyond: `${hostOf(domain)};`, source, most: mostPortsPerHost };
        if (count(prefix, anyOfHost, countOfHost, key) >= mostPortsPerHost) return true;
      }
      if (mostPerRegistrable === 0) return false;
      const key = { registrable, source, most: mostPerRegistrable };
      return count(registrable, anyOfRegistrable, countOfRegistrable, key) >= mostPerRegistrable;
    },
    add({ domain, registrable }) {
      for (const name of [registrable, portPrefix(domain)]) {
        const cached = name === null ? undefined : cache.get(name);
        if (name !== null && cached !== undefined) cache.set(name, cached + 1);
      }
    },
    clear: () => cache.clear(),
  };
}

/** The prefix of all domains with a port on the same host; null when the domain has no port. */
function portPrefix(domain: Domain): string | null {
  const host = hostOf(domain);
  return host === domain ? null : `${host}:`;
}

type Discovered = { source: number | null };

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
export const selectDiscovered = (
  db: Compiler,
  parameter: QueryParameter<Discovered & { registrable: string; most: number }>,
) => selectCount(db, ofRegistrable(db, parameter), parameter('most'));

/** The number of domains with a port on one host that a source discovered, counted up to `most`. */
export const selectDiscoveredPorts = (
  db: Compiler,
  parameter: QueryParameter<Discovered & { first: string; beyond: string; most: number }>,
) => selectCount(db, ofHost(db, parameter), parameter('most'));
