import { expect, test } from 'vitest';
import { exportAll } from '../../src/export/export-all.ts';
import { ROWS_OF_GROUP } from '../../src/export/tables/parquet-bytes.ts';
import { newFolder } from './export-folder.ts';
import { generatedSource } from './generated-source.ts';
import { readCsv, readParquet } from './read-back.ts';
import { START, sourceOf } from './row-of.ts';

test('CSV and Parquet have the same rows with several row groups', async () => {
  const rows = ROWS_OF_GROUP + 7;
  const dir = await newFolder();
  const source = sourceOf({ instances: { histories: () => [] } }, generatedSource(rows, rows, 3));
  await exportAll({ source, dir, now: () => START + 86_400_000, toolVersion: '1.0.0' });
  for (const [csv, parquet] of [
    ['changes.csv', 'changes.parquet'],
    ['visits/2026-01.csv.gz', 'visits/2026-01.parquet'],
    ['usage/2026-01.csv.gz', 'usage/2026-01.parquet'],
  ] as const) {
    const read = await readCsv(dir, csv);
    expect(read).toHaveLength(rows);
    expect(await readParquet(dir, parquet)).toEqual(read);
  }
});
