import { expect, test } from 'vitest';
import { newFolder } from '../export/export-folder.ts';
import { killExports } from '../export/kill-exports.ts';

test('50 times kill -9 during an export leaves only whole files, of every kind', async () => {
  const { leftovers, betweenRenames, names } = await killExports(await newFolder(), 50);
  expect(leftovers).toBeGreaterThan(10);
  process.stdout.write(`${leftovers} temporary files were left, ${betweenRenames} kills fell between two renames\n`);
  for (const ending of [
    '.json',
    '.ndjson',
    '.csv',
    '.parquet',
    '.atom',
    '.json.gz',
    '.csv.gz',
    '.md',
    '.cff',
    '.txt',
  ]) {
    expect(
      names.some((name) => name.endsWith(ending)),
      ending,
    ).toBe(true);
  }
});
