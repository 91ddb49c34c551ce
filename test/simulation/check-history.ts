import Database from 'better-sqlite3';
import { expectedHistory } from './expected-history.ts';
import type { SimulatedYear } from './simulate-year.ts';

interface Row {
  domain: string;
  at: number;
  field: string;
  from: string | null;
  to: string | null;
}

/**
 * Compares the recorded history with the one expected from the simulator's own log, both ways. Returns one line per difference and the
 * number of expected changes.
 */
export function checkHistory({ visitLog, database }: Pick<SimulatedYear, 'visitLog' | 'database'>): {
  changes: number;
  differences: string[];
} {
  const sqlite = new Database(database, { readonly: true });
  const rows = sqlite
    .prepare(
      `select domain, at, field, from_value as "from", to_value as "to" from changes
       join domains on domains.id = domain_id`,
    )
    .all() as Row[];
  sqlite.close();
  const recorded = new Set(rows.map(({ domain, at, field, from, to }) => toLine(domain, { at, field, from, to })));
  const expected = new Set<string>();
  for (const [domain, visits] of visitLog)
    for (const { at, field, from, to } of expectedHistory(visits)) {
      if (field === 'isAlias') continue;
      expected.add(toLine(domain, { at, field, from: JSON.stringify(from), to: JSON.stringify(to) }));
    }
  // Neither `isAlias` nor `aliasOf` is compared: the product records the target of an alias, the log only that the host is an alias.
  const isCompared = (line: string) => !line.includes(' aliasOf ');
  return {
    changes: expected.size,
    differences: [
      ...[...expected].filter((line) => !recorded.has(line)).map((line) => `missing: ${line}`),
      ...[...recorded].filter((line) => !expected.has(line) && isCompared(line)).map((line) => `unexpected: ${line}`),
    ],
  };
}

function toLine(domain: string, { at, field, from, to }: Omit<Row, 'domain'>): string {
  return `${domain} ${at} ${field} ${from ?? 'null'} -> ${to ?? 'null'}`;
}
