import { sql } from 'kysely';
import type { Domain } from '../domain/domain.ts';
import { optOutScopeOf } from '../domain/opt-out-names.ts';
import type { Compiler } from './compiler.ts';
import { type Placeholder, prepare } from './prepare.ts';
import type { DomainsTable } from './schema/domains-table.ts';
import type { Sqlite } from './sqlite.ts';
import type { Store } from './store.ts';

const ASKED = 'its owner asked to be forgotten';
/** Of a row that is no opt-out of its own, and goes when what belongs to it is gone. */
const COVERED = 'an opt-out covers it; it is being purged';

/** All columns of a domain that say anything of it, as an opt-out leaves them. */
const nothing = {
  verdict: null,
  reason: null,
  conclusive: null,
  once_loops: 0,
  via: null,
  software: null,
  version: null,
  alias_of: null,
  last_visit: null,
  last_seen: null,
  next_visit: null,
  next_visit_why: null,
  failures: 0,
  failing_since: null,
  repeats: 0,
  ipv4: null,
  ipv6: null,
  tls_expires: null,
  noindex: null,
  noindex_by: null,
  points_to: null,
  lease_owner: null,
  lease_token: null,
  lease_expires: null,
  leases_lost: 0,
  discovered_by_source_id: null,
  queued_for_source_id: null,
  reported_loops: 0,
  requested: 0,
  rank: null,
  last_listed: null,
} as const satisfies Partial<Record<keyof DomainsTable, null | 0>>;

type Row = { id: number; at: number };

/** Makes opt-outs of domains, and empties every row that they cover. Runs inside the caller's transaction. */
export interface OptOutMaker {
  /** Answers those that an opt-out covered before, and the rows that are to be purged. */
  optOut(domains: readonly Domain[], at: number): { already: Domain[]; ids: number[] };
  /** Deletes the rows that are no opt-outs of their own; nothing may belong to them any more. */
  dropCovered(ids: readonly number[]): void;
}

export function createOptOutMaker(sqlite: Sqlite, db: Compiler, { enter }: { enter: Store['enter'] }): OptOutMaker {
  const named = prepare(sqlite, (value: Placeholder<{ one: string; other: string }>) =>
    db
      .selectFrom('domains')
      .select(['id', 'domain', 'state'])
      .where('domain', 'in', [value('one') as never, value('other') as never]),
  );
  // ";" is the character after ":".
  const withPort = prepare(sqlite, (value: Placeholder<{ first: string; beyond: string }>) =>
    db
      .selectFrom('domains')
      .select(['id', 'domain', 'state'])
      .where('domain', '>', value('first') as never)
      .where('domain', '<', value('beyond') as never),
  );
  const empty = (why: string) =>
    prepare(sqlite, (value: Placeholder<Row>) =>
      db
        .updateTable('domains')
        .set({
          ...nothing,
          state: 'opted-out',
          state_why: sql.lit(why),
          first_seen: value('at'),
          state_since: value('at'),
        })
        .where('id', '=', value('id'))
        .where('state', '<>', sql.lit('opted-out' as const)),
    );
  const [askedFor, covered] = [empty(ASKED), empty(COVERED)];
  const drop = prepare(sqlite, (value: Placeholder<{ id: number }>) =>
    db.deleteFrom('domains').where('id', '=', value('id')).where('state_why', '=', sql.lit(COVERED)),
  );

  const rowsOf = (domain: Domain) => {
    const { bare, twin, port } = optOutScopeOf(domain);
    if (port !== null) return named.all({ one: `${bare}:${port}`, other: `${twin}:${port}` });
    const hosts = [...new Set([bare, twin])];
    const withPorts = hosts.flatMap((host) => withPort.all({ first: `${host}:`, beyond: `${host};` }));
    return [...named.all({ one: bare, other: twin }), ...withPorts];
  };
  /** Also by an opt-out of the same transaction. */
  const isOptedOut = (domain: Domain) => {
    const { bare, twin, port } = optOutScopeOf(domain);
    const rows = named.all({ one: bare, other: twin });
    if (port !== null) rows.push(...named.all({ one: `${bare}:${port}`, other: `${twin}:${port}` }));
    return rows.some(({ state }) => state === 'opted-out');
  };
  return {
    optOut(domains, at) {
      const already: Domain[] = [];
      const ids = new Set<number>();
      for (const domain of new Set(domains)) {
        const isNew = !isOptedOut(domain);
        if (isNew) enter([domain], at);
        else already.push(domain);
        for (const row of rowsOf(domain)) {
          ids.add(row.id);
          if (isNew && row.domain === domain) askedFor.run({ id: row.id, at });
          else covered.run({ id: row.id, at });
        }
      }
      return { already, ids: [...ids] };
    },
    dropCovered(ids) {
      for (const id of ids) drop.run({ id });
    },
  };
}
