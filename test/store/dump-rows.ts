import { inflateSync } from 'node:zlib';
import { expect } from 'vitest';
import { withSqlite } from './scratch.ts';

/** Every row of every table except `opt_outs` as text, with documents decompressed. */
export function dumpRows(path: string): string[] {
  return withSqlite(path, (sqlite) => {
    expect(sqlite.pragma('foreign_key_check')).toEqual([]);
    const tables = sqlite
      .prepare(`select name from sqlite_schema where type = 'table' and name <> 'opt_outs'`)
      .pluck()
      .all() as string[];
    return tables.flatMap((table) => {
      const rows = sqlite.prepare(`select * from ${table}`).all() as Record<string, unknown>[];
      return rows.map((row) => {
        const texts = Object.entries(row).map(([column, value]) => {
          if (!(value instanceof Uint8Array)) return `${column}=${value}`;
          if (column === 'sha256') return `sha256=${Buffer.from(value).toString('hex')}`;
          return `${column}=${(row.deflated === 1 ? inflateSync(value) : Buffer.from(value)).toString()}`;
        });
        return `${table}: ${texts.join(' ')}`;
      });
    });
  });
}
