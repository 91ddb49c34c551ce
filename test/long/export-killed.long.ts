import { expect, test } from 'vitest';
import { newFolder } from '../export/export-folder.ts';
import { killExports } from '../export/kill-exports.ts';

test('6 exports killed with kill -9 leave only complete files of every format', async () => {
  const { leftovers, betweenRenames, names } = await killExports(await newFolder(), 6);
  expect(leftovers).toBeGreaterThan(0);
  process.stdout.write(`${leftovers} temporary files remained, ${betweenRenames} kills fell between two renames\n`);
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
