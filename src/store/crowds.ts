import { sql } from 'kysely';
import { type Domain, hostOf } from '../domain/domain.ts';
import type { EntryLimits } from './candidate.ts';
import type { Compiler } from './compiler.ts';
import { type Placeholder, prepare } from './prepare.ts';
import type { Sqlite } from './sqlite.ts';

/** What a source enters next. */
interface Entrant {
  domain: Domain;
  registrable: string;
  source: number;
}

/**
 * How many domains a source has brought of each registrable domain, and how many that name a port of each host. What others brought does
 * not count: a source that makes up names fills its own measure and nobody else's.
 */
export interface Crowds {
  isCrowded(entrant: Entrant, limits: EntryLimits): boolean;
  /** To be told of what was entered. */
  add(entrant: Entrant): void;
  /** To be counted anew: counts are believed within one transaction. */
  drop(): void;
}

export function createCrowds(sqlite: Sqlite, db: Compiler): Crowds {
  const ofRegistrable = prepare(sqlite, (value: Placeholder<{ registrable: string; source: number; most: number }>) =>
    selectBrought(db, value),
  );
  const ofHost = prepare(
    sqlite,
    (value: Placeholder<{ first: string; beyond: string; source: number; most: number }>) =>
      selectBroughtPorts(db, value),
  );
  const counted = new Map<string, number>();

  const count = (name: string, read: () => { count: number } | undefined): number => {
    const known = counted.get(name) ?? read()?.count ?? 0;
    counted.set(name, known);
    return known;
  };
  return {
    isCrowded({ domain, registrable, source }, { mostPerRegistrable, mostPortsPerHost }) {
      const portsOf = portsName(domain);
      if (portsOf !== null && mostPortsPerHost > 0) {
        const range = { first: portsOf, beyond: `${hostOf(domain)};`, source, most: mostPortsPerHost };
        if (count(portsOf, () => ofHost.get(range)) >= mostPortsPerHost) return true;
      }
      if (mostPerRegistrable === 0) return false;
      const most = mostPerRegistrable;
      return count(registrable, () => ofRegistrable.get({ registrable, source, most })) >= most;
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

/** How many domains of a registrable domain were brought by a source, counted up to `most`; null: by none. */
export const selectBrought = (
  db: Compiler,
  value: Placeholder<{ registrable: string; source: number | null; most: number }>,
) =>
  db
    .selectFrom(
      db
        .selectFrom('domains')
        .select(sql<number>`1`.as('one'))
        .where('registrable_domain', '=', value('registrable'))
        .where('brought_by', 'is', value('source'))
        .limit(value('most'))
        .as('brought'),
    )
    .select((row) => row.fn.countAll<number>().as('count'));

/** How many domains between two names were brought by a source, counted up to `most`. */
export const selectBroughtPorts = (
  db: Compiler,
  value: Placeholder<{ first: string; beyond: string; source: number; most: number }>,
) =>
  db
    .selectFrom(
      db
        .selectFrom('domains')
        .select(sql<number>`1`.as('one'))
        .where('domain', '>', sql<Domain>`${value('first')}`)
        .where('domain', '<', sql<Domain>`${value('beyond')}`)
        .where('brought_by', 'is', value('source'))
        .limit(value('most'))
        .as('brought'),
    )
    .select((row) => row.fn.countAll<number>().as('count'));
