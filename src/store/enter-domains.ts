import { sql } from 'kysely';
import type { Domain } from '../domain/domain.ts';
import { registrableDomainOf } from '../domain/registrable-domain-of.ts';
import type { Compiler } from './compiler.ts';
import { createCrowds } from './crowds.ts';
import { createMomentKeeper } from './keep-moment.ts';
import { createOptedOutBulkLookUp } from './opted-out.ts';
import { type Placeholder, prepare } from './prepare.ts';
import type { Sqlite } from './sqlite.ts';
import type { Store } from './store.ts';

/** Domains entered in one transaction; a few milliseconds. */
const chunkSize = 1_000;
/** Of one host that others lead to: each may lead to it under a port of its own. */
const MOST_PORTS_FOUND = 4;
/** Why one is due that no person named: its first visit may be put off. */
export const MET = { found: 'another host leads to it', listed: 'a source lists it' } as const;

interface Entry {
  domain: Domain;
  registrable: string;
  at: number;
}

/** A domain that is not yet visited, due at `at`. */
export const newDomain = (value: Placeholder<Entry>, why = 'not yet visited') => ({
  domain: value('domain'),
  registrable_domain: value('registrable'),
  state: 'new' as const,
  state_since: value('at'),
  state_why: 'not yet visited',
  once_loops: 0,
  first_seen: value('at'),
  next_visit: value('at'),
  next_visit_why: why,
  failures: 0,
  repeats: 0,
  leases_lost: 0,
});

export type DomainEntry = Pick<Store, 'enter' | 'enterFound' | 'requestVisit'>;

export function createDomainEntry(sqlite: Sqlite, db: Compiler): DomainEntry {
  const insertNew = (why?: string) =>
    prepare(sqlite, (value: Placeholder<Entry>) =>
      db
        .insertInto('domains')
        .values(newDomain(value, why))
        .onConflict((conflict) => conflict.column('domain').doNothing()),
    );
  const insertNamed = insertNew();
  const insertFound = insertNew(MET.found);
  // A domain that is already overdue keeps its place in the line.
  const makeDue = prepare(sqlite, (value: Placeholder<Entry & { why: string }>) =>
    db
      .insertInto('domains')
      .values({ ...newDomain(value as Placeholder<Entry>), next_visit_why: value('why') })
      .onConflict((conflict) =>
        conflict.column('domain').doUpdateSet((row) => ({
          next_visit: sql`min(ifnull(${row.ref('domains.next_visit')}, ${value('at')}), ${value('at')})`,
          next_visit_why: value('why'),
        })),
      ),
  );

  const keepMoment = createMomentKeeper(sqlite, db);
  const later = prepare(sqlite, (value: Placeholder<{ domain: Domain; at: number }>) =>
    db.selectFrom('domains').select('id').where('domain', '=', value('domain')).where('next_visit', '>', value('at')),
  );
  const crowds = createCrowds(sqlite, db);

  const inTransaction = sqlite.transaction((work: () => void) => work());
  const lookUpOptedOut = createOptedOutBulkLookUp(sqlite, db);
  /** Leaves out whom an opt-out covers. */
  const inChunks = (
    domains: readonly Domain[],
    each: (domain: Domain) => void,
    onOptedOut: (domain: Domain) => void = () => undefined,
  ): void => {
    for (let start = 0; start < domains.length; start += chunkSize) {
      inTransaction.immediate(() => {
        const isOptedOut = lookUpOptedOut();
        for (const domain of domains.slice(start, start + chunkSize)) (isOptedOut(domain) ? onOptedOut : each)(domain);
      });
    }
  };
  const entryOf = (domain: Domain, at: number): Entry => ({ domain, registrable: registrableDomainOf(domain), at });

  return {
    enter(domains, at) {
      let entered = 0;
      inChunks(domains, (domain) => {
        entered += insertNamed.run(entryOf(domain, at));
      });
      return entered;
    },
    enterFound(domains, at, mostKnown) {
      const limits = { mostPerRegistrable: mostKnown, mostPortsPerHost: MOST_PORTS_FOUND };
      let entered = 0;
      crowds.drop();
      inChunks(domains, (domain) => {
        const entry = entryOf(domain, at);
        const entrant = { domain, registrable: entry.registrable, source: null };
        if (crowds.isCrowded(entrant, limits) || insertFound.run(entry) === 0) return;
        crowds.add(entrant);
        entered += 1;
      });
      return entered;
    },
    requestVisit(domains, at, why = 'asked for by name') {
      const optedOut: Domain[] = [];
      const makeOneDue = (domain: Domain) => {
        const moved = later.get({ domain, at });
        makeDue.run({ ...entryOf(domain, at), why });
        if (moved !== undefined) keepMoment(moved.id, at);
      };
      inChunks(domains, makeOneDue, (domain) => optedOut.push(domain));
      return { optedOut };
    },
  };
}
