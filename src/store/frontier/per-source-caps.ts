import { sql } from 'kysely';
import { type Domain, hostOf } from '../../model/domain/domain.ts';
import { type Compiler, type Placeholder, type Prepared, prepare } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import type { EntryLimits } from './candidate.ts';

/** What a source enters next. */
interface Entrant {
  domain: Domain;
  registrable: string;
  /** Null: none, another host leads to it. */
  source: number | null;
}

/**
 * How many domains of each registrable domain a source may discover, and how many of each host that name a port. Domains that other
 * sources discovered do not count: a source that makes up names uses up its own caps and nobody else's.
 */
export interface PerSourceCaps {
  isReached(entrant: Entrant, limits: Pick<EntryLimits, 'mostPerRegistrable' | 'mostPortsPerHost'>): boolean;
  /** Counts a domain that was entered. */
  add(entrant: Entrant): void;
  /** Forgets the counts, which hold within one transaction. */
  drop(): void;
}

export function createPerSourceCaps(sqlite: Sqlite, db: Compiler): PerSourceCaps {
  type OfRegistrable = Discovered & { registrable: string; most: number };
  const anyOfRegistrable = prepare(sqlite, (value: Placeholder<OfRegistrable>) => selectOne(ofRegistrable(db, value)));
  const countOfRegistrable = prepare(sqlite, (value: Placeholder<OfRegistrable>) => selectDiscovered(db, value));
  type OfHost = Discovered & { first: string; beyond: string; most: number };
  const anyOfHost = prepare(sqlite, (value: Placeholder<OfHost>) => selectOne(ofHost(db, value)));
  const countOfHost = prepare(sqlite, (value: Placeholder<OfHost>) => selectDiscoveredPorts(db, value));
  const counted = new Map<string, number>();

  /** For most there is none, which is cheaper to ask than how many. */
  const count = <Of extends object>(
    name: string,
    any: Prepared<Of, object>,
    all: Prepared<Of, { count: number }>,
    of: Of,
  ): number => {
    const known = counted.get(name);
    if (known !== undefined) return known;
    const found = any.get(of) === undefined ? 0 : (all.get(of)?.count ?? 0);
    counted.set(name, found);
    return found;
  };
  return {
    isReached({ domain, registrable, source }, { mostPerRegistrable, mostPortsPerHost }) {
      const first = portsName(domain);
      if (first !== null && mostPortsPerHost > 0) {
        const of = { first, beyond: `${hostOf(domain)};`, source, most: mostPortsPerHost };
        if (count(first, anyOfHost, countOfHost, of) >= mostPortsPerHost) return true;
      }
      if (mostPerRegistrable === 0) return false;
      const of = { registrable, source, most: mostPerRegistrable };
      return count(registrable, anyOfRegistrable, countOfRegistrable, of) >= mostPerRegistrable;
    },
    add({ domain, registrable }) {
      for (const name of [registrable, portsName(domain)]) {
        const known = name === null ? undefined : counted.get(name);
        if (name !== null && known !== undefined) counted.set(name, known + 1);
      }
    },
    drop: () => counted.clear(),
  };
}

/** What its host's domains with ports begin with; ";" is the character after ":". Null for one that names none. */
function portsName(domain: Domain): string | null {
  const host = hostOf(domain);
  return host === domain ? null : `${host}:`;
}

type Discovered = { source: number | null };

/** The domains of a registrable domain that a source discovered; null: that none did. */
const ofRegistrable = (db: Compiler, value: Placeholder<Discovered & { registrable: string }>) =>
  db
    .selectFrom('domains')
    .select(sql<number>`1`.as('one'))
    .where('registrable_domain', '=', value('registrable'))
    .where('discovered_by_source_id', 'is', value('source'));

/** The domains between two names that a source discovered; null: that none did. */
const ofHost = (db: Compiler, value: Placeholder<Discovered & { first: string; beyond: string }>) =>
  db
    .selectFrom('domains')
    .select(sql<number>`1`.as('one'))
    .where('domain', '>', sql<Domain>`${value('first')}`)
    .where('domain', '<', sql<Domain>`${value('beyond')}`)
    .where('discovered_by_source_id', 'is', value('source'));

type Domains = ReturnType<typeof ofRegistrable>;

const selectOne = (domains: Domains) => domains.limit(sql.lit(1));

const selectCount = (db: Compiler, domains: Domains, most: ReturnType<Placeholder<{ most: number }>>) =>
  db.selectFrom(domains.limit(most).as('discovered')).select((row) => row.fn.countAll<number>().as('count'));

/** How many domains of a registrable domain a source discovered, counted up to `most`; null: none did. */
export const selectDiscovered = (
  db: Compiler,
  value: Placeholder<Discovered & { registrable: string; most: number }>,
) => selectCount(db, ofRegistrable(db, value), value('most'));

/** How many domains between two names a source discovered, counted up to `most`; null: none did. */
export const selectDiscoveredPorts = (
  db: Compiler,
  value: Placeholder<Discovered & { first: string; beyond: string; most: number }>,
) => selectCount(db, ofHost(db, value), value('most'));
