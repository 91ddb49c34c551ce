import { sql } from 'kysely';
import type { Domain } from '../../model/domain/domain.ts';
import { registrableDomainOf } from '../../model/domain/registrable-domain.ts';
import { findDomainChanges } from '../../model/domain-changes.ts';
import type { DomainRecord, KnownAlias } from '../../model/domain-record.ts';
import type { OptOutSet } from '../../model/opt-outs/opt-out-names.ts';
import { PRIORITY, type Priority } from '../../model/priority.ts';
import type { EpochMs } from '../../model/time.ts';
import { ChangeLog } from '../history/changes.ts';
import { type Database, Rows } from '../sqlite/database.ts';
import { type QueryParameter, queryParameters } from '../sqlite/prepare.ts';
import {
  type DomainColumns,
  domainColumns,
  toDomainColumns,
  toDomainRecord,
  updatedColumns,
} from '../visits/domain-row.ts';
import { type Caps, PerSourceCaps } from './per-source-caps.ts';
import type { Requester } from './pick-domains.ts';
import { QueueOrder } from './queue-order.ts';

/** Domains per transaction, which keeps each transaction short. */
const CHUNK = 1_000;
/** Maximum domains with a port that {@link Domains.enterFound} enters per host. */
const MAX_PORTS_FOUND = 4;

interface NewDomainRow {
  domain: Domain;
  registrable: string;
  at: EpochMs;
  why: string;
  priority: Priority;
  order: number;
}

/** The row of an unvisited domain, due at `at`. */
export const newDomain = <Parameters extends NewDomainRow>(parameter: QueryParameter<Parameters>) => ({
  domain: parameter('domain'),
  registrable_domain: parameter('registrable'),
  state: 'new' as const,
  state_since: parameter('at'),
  state_why: 'not yet visited',
  was_ever_loops: 0,
  first_seen: parameter('at'),
  next_visit: parameter('at'),
  next_visit_why: parameter('why'),
  failures: 0,
  consecutive_same_outcome: 0,
  priority: parameter('priority'),
  queue_order: parameter('order'),
});

/** The known domains, as users and visits add to them. Times are milliseconds since the epoch. */
export class Domains extends Rows {
  readonly #optOuts: OptOutSet;
  readonly #caps = new PerSourceCaps(this.database);
  readonly #order = new QueueOrder(this.database);
  readonly #changes = new ChangeLog(this.database);
  readonly #insert = this.database.prepare((db, parameter: QueryParameter<NewDomainRow>) =>
    db
      .insertInto('domains')
      .values(newDomain(parameter))
      .onConflict((conflict) => conflict.column('domain').doNothing()),
  );
  readonly #request = this.database.prepare((db, parameter: QueryParameter<NewDomainRow & { origin: Requester }>) =>
    db
      .insertInto('domains')
      .values({ ...newDomain(parameter), origin: parameter('origin') })
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
  readonly #requestAnother = this.database.prepare((db, parameter: QueryParameter<{ domain: Domain }>) =>
    db
      .updateTable('in_progress')
      .set({ is_requested: 1 })
      .where('domain_id', '=', db.selectFrom('domains').select('id').where('domain', '=', parameter('domain'))),
  );
  readonly #find = this.database.prepare((db, parameter: QueryParameter<{ domain: Domain }>) =>
    db
      .selectFrom('domains')
      .select([...domainColumns, 'id'])
      .where('domain', '=', parameter('domain')),
  );
  readonly #update = this.database.prepare((db, parameter: QueryParameter<DomainColumns>) =>
    db
      .updateTable('domains')
      .set({ ...queryParameters(parameter, updatedColumns), crashes: 0 })
      .where('domain', '=', parameter('domain')),
  );
  readonly #findAlias = this.database.prepare((db, parameter: QueryParameter<{ domain: Domain }>) =>
    db
      .selectFrom('domains')
      .select(['alias_of as to', 'last_visit as at'])
      .where('domain', '=', parameter('domain'))
      .where('verdict', '=', sql.lit('alias' as const)),
  );

  constructor(database: Database, optOuts: OptOutSet) {
    super(database);
    this.#optOuts = optOuts;
  }

  /**
   * Enters the unknown domains, due at `at`, and returns their number; known domains stay unchanged. A thousand domains take about
   * 30 ms in a database of a million: pass no more per call where the event loop must stay responsive.
   */
  enter(domains: readonly Domain[], at: EpochMs): number {
    return this.#enter(domains, at, 'not yet visited', { mostPerRegistrable: 0, mostPortsPerHost: 0 });
  }

  /**
   * Enters domains that other hosts redirect to or name, like {@link enter}, but only while their registrable domain has
   * fewer than `mostPerRegistrable` domains that no source discovered (0: no limit). The limit is needed because the owner of a wildcard
   * DNS record can invent any number of names.
   */
  enterFound(domains: readonly Domain[], at: EpochMs, mostPerRegistrable: number): number {
    return this.#enter(domains, at, 'another host leads to it', {
      mostPerRegistrable,
      mostPortsPerHost: MAX_PORTS_FOUND,
    });
  }

  /**
   * Makes domains due by `at`, before all others, and enters unknown ones. A domain that is being visited stays due after that visit. Opted-out
   * domains are skipped and returned.
   */
  requestVisit(
    domains: readonly Domain[],
    at: number,
    { why = 'a user requested a visit', origin = 'user' }: { why?: string; origin?: Requester } = {},
  ): { optedOut: Domain[] } {
    const optedOut = this.#inChunks(domains, (chunk) => {
      const places = this.#order.firstPlaces();
      const first = this.#order.open(null, PRIORITY.first);
      const rest = this.#order.open(null, PRIORITY.new);
      for (const [index, domain] of chunk.entries()) {
        const [priority, queue] = index < places ? [PRIORITY.first, first] : [PRIORITY.new, rest];
        const registrable = registrableDomainOf(domain);
        this.#request.run({ domain, registrable, at, why, origin, priority, order: queue.take() });
        this.#requestAnother.run({ domain });
      }
      first.save();
      rest.save();
    });
    return { optedOut };
  }

  /** Requests visits and applies `update` to the records. A change of state is recorded with the cause `added`. Opted-out domains are skipped and returned. */
  reactivate(
    domains: readonly Domain[],
    at: number,
    update: (before: DomainRecord) => DomainRecord,
  ): { optedOut: Domain[] } {
    return this.database.write(() => {
      const { optedOut } = this.requestVisit(domains, at);
      const skipped = new Set(optedOut);
      for (const domain of domains) {
        const row = skipped.has(domain) ? undefined : this.#find.get({ domain });
        if (row === undefined) continue;
        const before = toDomainRecord(row);
        const after = update(before);
        this.#update.run(toDomainColumns(after));
        this.#changes.add(findDomainChanges(before, after), { domainId: row.id, at, cause: 'added', visitId: null });
      }
      return { optedOut };
    });
  }

  /** The domain that this one redirected to at its last visit; null when it did not redirect. */
  aliasOf(domain: Domain): KnownAlias | null {
    const { to, at } = this.database.read(() => this.#findAlias.get({ domain })) ?? { to: null, at: null };
    return to === null || at === null ? null : { to, at };
  }

  #enter(domains: readonly Domain[], at: EpochMs, why: string, limits: Caps): number {
    let entered = 0;
    this.#inChunks(domains, (chunk) => {
      const queue = this.#order.open(null, PRIORITY.new);
      this.#caps.clear();
      for (const domain of chunk) {
        const registrable = registrableDomainOf(domain);
        const entrant = { domain, registrable, source: null };
        if (this.#caps.isReached(entrant, limits)) continue;
        const row = { domain, registrable, at, why, priority: PRIORITY.new, order: queue.next() };
        if (this.#insert.run(row) === 0) continue;
        queue.take();
        this.#caps.add(entrant);
        entered += 1;
      }
      queue.save();
    });
    return entered;
  }

  /** Calls `work` with chunks of the domains, each in one transaction. Opted-out domains are left out and returned. */
  #inChunks(domains: readonly Domain[], work: (allowed: readonly Domain[]) => void): Domain[] {
    const optedOut: Domain[] = [];
    for (let start = 0; start < domains.length; start += CHUNK) {
      const chunk = domains.slice(start, start + CHUNK);
      this.database.write(() => {
        const refused = new Set(chunk.filter((domain) => this.#optOuts.has(domain)));
        work(chunk.filter((domain) => !refused.has(domain)));
        optedOut.push(...refused);
      });
    }
    return optedOut;
  }
}
