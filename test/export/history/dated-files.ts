import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { InstancesFile } from '../../../src/directory/schema/instances-file.ts';
import { HistoryIndex } from '../../../src/export/schema/history.ts';

/** The dated file of a day, which must follow its schema. */
export function readDated(dir: string, date: string) {
  return InstancesFile.required().parse(
    JSON.parse(gunzipSync(readFileSync(join(dir, 'history', `${date}.json.gz`))).toString()),
  );
}

export const domainsOn = (dir: string, date: string) => readDated(dir, date).instances.map(({ domain }) => domain);

/** The index, which must follow its schema and list exactly the dated files with their sizes and hashes. */
export function readHistory(dir: string): HistoryIndex {
  const folder = join(dir, 'history');
  const index = HistoryIndex.parse(JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')));
  const names = readdirSync(folder).filter((name) => !name.startsWith('index.json'));
  const entries = names.sort().map((name) => {
    const bytes = readFileSync(join(folder, name));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const date = name.slice(0, 10);
    const instances = readDated(dir, date).instances.length;
    return { date, name: `history/${name}`, bytes: bytes.byteLength, sha256, instances };
  });
  expect(index.files).toMatchObject(entries);
  expect(index.files).toHaveLength(entries.length);
  return index;
}
