import type { IsHidden } from '../../model/opt-outs/opted-out-references.ts';
import type { Column, Row } from '../tables/column.ts';
import { rowsOfCsv } from '../tables/rows-of-csv.ts';

/** A published row without references to hidden domains: the same object when it has none; null when it belongs to one. */
function unlessRowHidden(row: Row, isHidden: IsHidden): Row | null {
  const { domain, aliasOf } = row;
  if (typeof domain === 'string' && isHidden(domain)) return null;
  return typeof aliasOf === 'string' && isHidden(aliasOf) ? { ...row, aliasOf: null } : row;
}

/** Whether a published month names a hidden domain; true if it cannot be read. */
export async function namesHidden(columns: readonly Column[], path: string, isHidden: IsHidden): Promise<boolean> {
  try {
    for await (const row of rowsOfCsv(columns, path)) if (unlessRowHidden(row, isHidden) !== row) return true;
    return false;
  } catch {
    return true;
  }
}

/** The rows of a published month without the hidden domains. A damaged file yields only the rows before the damage. */
export async function* publishedRows(columns: readonly Column[], path: string, isHidden: IsHidden): AsyncIterable<Row> {
  try {
    for await (const row of rowsOfCsv(columns, path)) {
      const shown = unlessRowHidden(row, isHidden);
      if (shown !== null) yield shown;
    }
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
}

/** Whether the content is damaged (an error of zlib, the CSV parser or `JSON.parse`), as opposed to unreadable. */
function isDamage(error: unknown): boolean {
  if (error instanceof SyntaxError) return true;
  const { code = '' } = error as NodeJS.ErrnoException;
  return code.startsWith('Z_') || code.startsWith('CSV_');
}
