import { sql } from 'kysely';
import { type Domain, hostOf } from '../domain/domain.ts';
import type { EntryLimits } from './candidate.ts';
import type { Compiler } from './compiler.ts';
import { type Placeholder, type Prepared, prepare } from './prepare.ts';
import type { Sqlite } from './sqlite.ts';

/** What a source enters next. */
interface Entrant {
  domain: Domain;
  registrable: string;
  /** Null: none, as of what another host leads to. */
  source: number | null;
}

/**
 * How many domains a source has brought of each registrable domain, and how many that name a port of each host. What others brought does
 * not count: a source that makes up names fills its own measure and nobody else's.
 */
export interface Crowds {
  isCrowded(entrant: Entrant, limits: Pick<EntryLimits, 'mostPerRegistrable' | 'mostPortsPerHost'>): boolean;
  /** To be told of what was entered. */
  add(entrant: Entrant): void;
  /** To be counted anew: counts are believed within one transaction. */
  drop(): void;
}

export function createCrowds(sqlite: Sqlite, db: Compiler): Crowds {
  type OfRegistrable = Brought & { registrable: string; most: number };
  const anyOfRegistrable = prepare(sqlite, (value: Placeholder<OfRegistrable>) => selectOne(ofRegistrable(db, value)));
  const countOfRegistrable = prepare(sqlite, (value: Placeholder<OfRegistrable>) => selectBrought(db, value));
  type OfHost = Brought & { first: string; beyond: string; most: number };
  const anyOfHost = prepare(sqlite, (value: Placeholder<OfHost>) => selectOne(ofHost(db, value)));
  const countOfHost = prepare(sqlite, (value: Placeholder<OfHost>) => selectBroughtPorts(db, value));
  const counted = new Map<string, number>();

  /** Of most there is none, which is cheaper to ask than how many. */
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
    isCrowded({ domain, registrable, source }, { mostPerRegistrable, mostPortsPerHost }) {
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

type Brought = { source: number | null };

/** The domains of a registrable domain that a source brought; null: that none did. */
const ofRegistrable = (db: Compiler, value: Placeholder<Brought & { registrable: string }>) =>
  db
    .selectFrom('domains')
    .select(sql<number>`1`.as('one'))
    .where('registrable_domain', '=', value('registrable'))
    .where('brought_by', 'is', value('source'));

/** The domains between two names that a source brought; null: that none did. */
const ofHost = (db: Compiler, value: Placeholder<Brought & { first: string; beyond: string }>) =>
  db
    .selectFrom('domains')
    .select(sql<number>`1`.as('one'))
    .where('domain', '>', sql<Domain>`${value('first')}`)
    .where('domain', '<', sql<Domain>`${value('beyond')}`)
    .where('brought_by', 'is', value('source'));

type Domains = ReturnType<typeof ofRegistrable>;

const selectOne = (domains: Domains) => domains.limit(sql.lit(1));

const selectCount = (db: Compiler, domains: Domains, most: ReturnType<Placeholder<{ most: number }>>) =>
  db.selectFrom(domains.limit(most).as('brought')).select((row) => row.fn.countAll<number>().as('count'));

/** How many domains of a registrable domain were brought by a source, counted up to `most`; null: by none. */
export const selectBrought = (db: Compiler, value: Placeholder<Brought & { registrable: string; most: number }>) =>
  selectCount(db, ofRegistrable(db, value), value('most'));

/** How many domains between two names were brought by a source, counted up to `most`; null: by none. */
export const selectBroughtPorts = (
  db: Compiler,
  value: Placeholder<Brought & { first: string; beyond: string; most: number }>,
) => selectCount(db, ofHost(db, value), value('most'));
