import { sql } from 'kysely';
import { optOutScopeOf } from '../domain/opt-out-names.ts';
import type { DomainState } from '../record/domain-state.ts';
import type { Compiler } from './compiler.ts';
import { type Placeholder, prepare } from './prepare.ts';
import type { Sqlite } from './sqlite.ts';

/** Counts the opt-outs that had been made by a time; what another covers as well is counted with it. Reads each, by index. */
export function createOptOutCounter(sqlite: Sqlite, db: Compiler): (by: number) => number {
  const made = prepare(sqlite, (value: Placeholder<{ by: number }>) =>
    db
      // A reader of the past knows whom it may not name, and not when that came to be.
      .selectFrom(sql<{ domain: string; state: DomainState; state_since: number }>`main.domains`.as('domains'))
      .select('domain')
      .where('state', '=', sql.lit('opted-out' as const))
      .where('state_since', '<=', value('by')),
  );
  return (by) => {
    const whole = new Set<string>();
    const ports: { bare: string; port: string }[] = [];
    for (const { domain } of made.iterate({ by })) {
      const { bare, port } = optOutScopeOf(domain);
      if (port === null) whole.add(bare);
      else ports.push({ bare, port });
    }
    const alone = ports.filter(({ bare }) => !whole.has(bare)).map(({ bare, port }) => `${bare}:${port}`);
    return whole.size + new Set(alone).size;
  };
}
