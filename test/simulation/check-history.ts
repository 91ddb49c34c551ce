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
 * Holds the history that was recorded against the world's own log, both ways: what differs, one line each, and how many changes were
 * held against each other.
 */
export function checkHistory({ told, database }: Pick<SimulatedYear, 'told' | 'database'>): {
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
  const recorded = new Set(rows.map(({ domain, at, field, from, to }) => lineOf(domain, { at, field, from, to })));
  const expected = new Set<string>();
  for (const [domain, visits] of told)
    for (const { at, field, from, to } of expectedHistory(visits)) {
      // Whose redirect it is, the product records by name; the log only knows that there is one.
      const isAlias = field === 'isAlias';
      if (!isAlias) expected.add(lineOf(domain, { at, field, from: JSON.stringify(from), to: JSON.stringify(to) }));
    }
  const isCompared = (line: string) => !line.includes(' aliasOf ');
  return {
    changes: expected.size,
    differences: [
      ...[...expected].filter((line) => !recorded.has(line)).map((line) => `missing: ${line}`),
      ...[...recorded].filter((line) => !expected.has(line) && isCompared(line)).map((line) => `not told: ${line}`),
    ],
  };
}

function lineOf(domain: string, { at, field, from, to }: Omit<Row, 'domain'>): string {
  return `${domain} ${at} ${field} ${from ?? 'null'} -> ${to ?? 'null'}`;
}
