import { Table } from 'console-table-printer';

export const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** The keys of the first row are the columns, and its first key names the rows. */
export function printTable(head: string, rows: readonly Record<string, string>[]): void {
  const columns = Object.keys(rows[0] ?? {}).map(
    (name, i) => ({ name, alignment: i === 0 ? 'left' : 'right' }) as const,
  );
  const table = new Table({ columns, shouldDisableColors: true });
  table.addRows([...rows]);
  process.stdout.write(`${head}\n${table.render()}\n`);
}
