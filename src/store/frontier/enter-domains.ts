import { sql } from 'kysely';
import type { Domain } from '../../model/domain/domain.ts';
import { registrableDomainOf } from '../../model/domain/registrable-domain.ts';
import type { OptOutSet } from '../../model/opt-outs/opt-out-names.ts';
import { PRIORITY, type Priority } from '../../model/priority.ts';
import { type Compiler, prepare, type QueryParameter } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import type { Store } from '../store.ts';
import { createPerSourceCaps } from './per-source-caps.ts';
import type { Requester } from './pick-domains.ts';
import { QueueOrder } from './queue-order.ts';

/** Domains per transaction, which keeps each transaction short. */
const CHUNK = 1_000;
/** Maximum domains with a port that {@link Store.enterFound} enters per host. */
const MAX_PORTS_FOUND = 4;

interface NewDomainRow {
  domain: Domain;
  registrable: string;
  at: number;
  priority: Priority;
  order: number;
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
  priority: parameter('priority'),
  queue_order: parameter('order'),
});

export type DomainIntake = Pick<Store, 'enter' | 'enterFound' | 'requestVisit'>;

export function createDomainIntake(sqlite: Sqlite, db: Compiler, optOuts: OptOutSet): DomainIntake {
  const insertNew = (why: string) =>
    prepare(sqlite, (parameter: QueryParameter<NewDomainRow>) =>
      db
        .insertInto('domains')
        .values(newDomain(parameter, why))
        .onConflict((conflict) => conflict.column('domain').doNothing()),
    );
  const insert = insertNew('not yet visited');
  const insertFound = insertNew('another host leads to it');
  type Request = NewDomainRow & { why: string; origin: Requester };
  const request = prepare(sqlite, (parameter: QueryParameter<Request>) =>
    db
      .insertInto('domains')
      .values({
        ...newDomain(parameter as QueryParameter<NewDomainRow>, ''),
        next_visit_why: parameter('why'),
        origin: parameter('origin'),
      })
      .onConflict((conflict) =>
        conflict.column('domain').doUpdateSet((row) => ({
          next_visit: sql`min(ifnull(${row.ref('domains.next_visit')}, ${parameter('at')}), ${parameter('at')})`,
          next_visit_why: parameter('why'),
          origin: parameter('origin'),
          // A domain that already waits with a better priority keeps it.
          priority: sql<Priority>`min(${row.ref('domains.priority')}, ${parameter('priority')})`,
          queue_order: sql`iif(${row.ref('domains.priority')} <= ${parameter('priority')}, ${row.ref('domains.queue_order')}, ${parameter('order')})`,
        })),
      ),
  );
  const requestAnother = prepare(sqlite, (parameter: QueryParameter<{ domain: Domain }>) =>
    db
      .updateTable('in_progress')
      .set({ is_requested: 1 })
      .where('domain_id', '=', db.selectFrom('domains').select('id').where('domain', '=', parameter('domain'))),
  );
  const caps = createPerSourceCaps(sqlite, db);
  const order = new QueueOrder(sqlite, db);

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
        const queue = order.open(null, PRIORITY.new);
        for (const domain of chunk) {
          const registrable = registrableDomainOf(domain);
          if (insert.run({ domain, registrable, at, priority: PRIORITY.new, order: queue.next() }) === 0) continue;
          queue.take();
          entered += 1;
        }
        queue.save();
      });
      return entered;
    },
    enterFound(domains, at, mostPerRegistrable) {
      const limits = { mostPerRegistrable, mostPortsPerHost: MAX_PORTS_FOUND };
      let entered = 0;
      inChunks(domains, (chunk) => {
        const queue = order.open(null, PRIORITY.new);
        caps.clear();
        for (const domain of chunk) {
          const registrable = registrableDomainOf(domain);
          const entrant = { domain, registrable, source: null };
          if (caps.isReached(entrant, limits)) continue;
          if (insertFound.run({ domain, registrable, at, priority: PRIORITY.new, order: queue.next() }) === 0) continue;
          queue.take();
          caps.add(entrant);
          entered += 1;
        }
        queue.save();
      });
      return entered;
    },
    requestVisit(domains, at, { why = 'a user requested a visit', origin = 'user' } = {}) {
      const optedOut = inChunks(domains, (chunk) => {
        const places = order.firstPlaces();
        const first = order.open(null, PRIORITY.first);
        const rest = order.open(null, PRIORITY.new);
        for (const [index, domain] of chunk.entries()) {
          const [priority, queue] = index < places ? [PRIORITY.first, first] : [PRIORITY.new, rest];
          const registrable = registrableDomainOf(domain);
          request.run({ domain, registrable, at, why, origin, priority, order: queue.take() });
          requestAnother.run({ domain });
        }
        first.save();
        rest.save();
      });
      return { optedOut };
    },
  };
}
