import { sql } from 'kysely';
import type { Domain } from '../../model/domain/domain.ts';
import { registrableDomainOf } from '../../model/domain/registrable-domain.ts';
import type { OptOutSet } from '../../model/opt-outs/opt-out-names.ts';
import { type Compiler, prepare, type QueryParameter } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import type { Store } from '../store.ts';
import { createPerSourceCaps } from './per-source-caps.ts';
import { createSourceQueues } from './source-queues.ts';

/** Domains per transaction, which keeps each transaction short. */
const CHUNK = 1_000;
/** Maximum domains with a port that {@link Store.enterFound} enters per host. */
const MAX_PORTS_FOUND = 4;

interface NewDomainRow {
  domain: Domain;
  registrable: string;
  at: number;
  rank: number;
}

/** The row of an unvisited domain, due at `at`. */
export const newDomain = (parameter: QueryParameter<NewDomainRow>, why: string) => ({
  domain: parameter('domain'),
  registrable_domain: parameter('registrable'),
  state: 'new' as const,
  state_since: parameter('at'),
  state_why: 'not yet visited',
  was_ever_loops: 0,
  first_seen: parameter('at'),
  next_visit: parameter('at'),
  next_visit_why: why,
  failures: 0,
  consecutive_same_outcome: 0,
  leases_lost: 0,
  rank: parameter('rank'),
});

export type DomainIntake = Pick<Store, 'enter' | 'enterFound' | 'requestVisit'>;

export function createDomainIntake(sqlite: Sqlite, db: Compiler, optOuts: OptOutSet): DomainIntake {
  const insertNew = (why: string, requested: 0 | 1) =>
    prepare(sqlite, (parameter: QueryParameter<NewDomainRow>) =>
      db
        .insertInto('domains')
        .values({ ...newDomain(parameter, why), requested: sql.lit(requested) })
        .onConflict((conflict) => conflict.column('domain').doNothing()),
    );
  const insertRequested = insertNew('not yet visited', 1);
  const insertFound = insertNew('another host leads to it', 0);
  // An overdue domain that was visited before keeps its position in its lane; an unvisited one moves ahead of the other new domains.
  const makeDue = prepare(sqlite, (parameter: QueryParameter<NewDomainRow & { why: string }>) =>
    db
      .insertInto('domains')
      .values({
        ...newDomain(parameter as QueryParameter<NewDomainRow>, ''),
        next_visit_why: parameter('why'),
        requested: sql.lit(1),
      })
      .onConflict((conflict) =>
        conflict.column('domain').doUpdateSet((row) => ({
          next_visit: sql`min(ifnull(${row.ref('domains.next_visit')}, ${parameter('at')}), ${parameter('at')})`,
          next_visit_why: parameter('why'),
          requested: sql.lit(1),
          rank: sql`iif(${row.ref('domains.last_visit')} is null, ${parameter('rank')}, null)`,
        })),
      ),
  );

  const caps = createPerSourceCaps(sqlite, db);
  const queues = createSourceQueues(sqlite, db);

  const inTransaction = sqlite.transaction((work: () => void) => work());
  /** Calls `work` with chunks of the domains, each in one transaction. Opted-out domains are left out and returned. */
  const inChunks = (domains: readonly Domain[], work: (allowed: readonly Domain[]) => void): Domain[] => {
    const optedOut: Domain[] = [];
    for (let start = 0; start < domains.length; start += CHUNK) {
      inTransaction.immediate(() => {
        const chunk = domains.slice(start, start + CHUNK);
        optedOut.push(...chunk.filter((domain) => optOuts.has(domain)));
        work(chunk.filter((domain) => !optOuts.has(domain)));
      });
    }
    return optedOut;
  };

  return {
    enter(domains, at) {
      let entered = 0;
      inChunks(domains, (chunk) => {
        const rank = queues.virtualTime();
        for (const domain of chunk) {
          entered += insertRequested.run({ domain, registrable: registrableDomainOf(domain), at, rank });
        }
      });
      return entered;
    },
    enterFound(domains, at, mostPerRegistrable) {
      const limits = { mostPerRegistrable, mostPortsPerHost: MAX_PORTS_FOUND };
      let entered = 0;
      inChunks(domains, (chunk) => {
        const queue = queues.open(null, false);
        caps.clear();
        for (const domain of chunk) {
          const registrable = registrableDomainOf(domain);
          const entrant = { domain, registrable, source: null };
          if (caps.isReached(entrant, limits)) continue;
          if (insertFound.run({ domain, registrable, at, rank: queue.nextRank() }) === 0) continue;
          queue.take();
          caps.add(entrant);
          entered += 1;
        }
        queue.save();
      });
      return entered;
    },
    requestVisit(domains, at, why = 'a user requested a visit') {
      const optedOut = inChunks(domains, (chunk) => {
        const rank = queues.virtualTime();
        for (const domain of chunk) {
          makeDue.run({ domain, registrable: registrableDomainOf(domain), at, rank, why });
        }
      });
      return { optedOut };
    },
  };
}
