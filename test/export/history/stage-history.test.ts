import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type ExportOptions, exportAll } from '../../../src/export/export-all.ts';
import { createExportedFiles } from '../../../src/export/files/exported-files.ts';
import { datesIn } from '../../../src/export/history/dated-files.ts';
import { createOptOutSet } from '../../../src/model/opt-outs/opt-out-names.ts';
import { readInstances } from '../../../src/read.ts';
import type { StoreReader } from '../../../src/store/store-reader.ts';
import { filesIn, newFolder, readManifest } from '../export-folder.ts';
import { instanceRecordOf } from '../record-of.ts';
import { sourceOf } from '../row-of.ts';
import { domainsOn, readDated, readHistory } from './dated-files.ts';

const DAY = 86_400_000;
const noon = Date.UTC(2026, 0, 1, 12);
const names = ['a.example', 'b.example', 'c.example'];

/** Requests not to be published: `withheld` names the hosts, `marks` counts the requests. */
interface World {
  listed: readonly string[];
  withheld: Set<string>;
  requests: number;
}

function createWorld(listed = names): World & { source: StoreReader } {
  const world: World = { listed, withheld: new Set<string>(), requests: 0 };
  const source: StoreReader = sourceOf({
    instances: {
      *listed() {
        for (const name of world.listed) if (!world.withheld.has(name)) yield instanceRecordOf(name);
      },
    },
    optOuts: {
      has: createOptOutSet(world.withheld).has,
      lastRequest: () => ({ optOuts: world.requests, changes: 0 }),
      hasRequestSince: ({ optOuts }) => world.requests > optOuts,
    },
  });
  return Object.assign(world, { source });
}

const exportAt = (dir: string, source: StoreReader, at: number, overrides: Partial<ExportOptions> = {}) =>
  exportAll({ source, dir, now: () => at, toolVersion: '1.0.0', ...overrides });
const pathOf = (dir: string, date: string) => join(dir, 'history', `${date}.json.gz`);

test('the first export of a day writes its file with the published instances, and later ones leave it', async () => {
  const dir = await newFolder();
  const world = createWorld();
  await exportAt(dir, world.source, noon);
  const published = JSON.parse(readFileSync(join(dir, 'instances.json'), 'utf8'));
  expect(readDated(dir, '2026-01-01')).toEqual({ ...published, date: '2026-01-01' });
  expect(readHistory(dir)).toMatchObject({
    gaps: [],
    files: [{ date: '2026-01-01', writtenAt: '2026-01-01T12:00:00.000Z', instances: 3, replaced: [] }],
  });
  const first = (await filesIn(dir))['history/2026-01-01.json.gz'];
  world.listed = ['a.example'];
  await exportAt(dir, world.source, Date.UTC(2026, 0, 1, 23, 59, 59, 999));
  expect((await filesIn(dir))['history/2026-01-01.json.gz']).toEqual(first);
  await exportAt(dir, world.source, Date.UTC(2026, 0, 2));
  expect(datesIn(dir)).toEqual(['2026-01-01', '2026-01-02']);
  expect(domainsOn(dir, '2026-01-02')).toEqual(['a.example']);
  readHistory(dir);
});

test('equal instances give equal bytes, with an unknown operating system in the gzip header', async () => {
  const [one, other] = [await newFolder(), await newFolder()];
  for (const dir of [one, other]) await exportAt(dir, createWorld().source, noon);
  const bytes = readFileSync(pathOf(one, '2026-01-01'));
  expect(bytes.equals(readFileSync(pathOf(other, '2026-01-01')))).toBe(true);
  expect([...bytes.subarray(0, 10)]).toEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
});

test('the manifest lists the index, the index lists the dated files, and all of them are served', async () => {
  const dir = await newFolder();
  await exportAt(dir, createWorld().source, noon);
  const { files } = await readManifest(dir);
  expect(files.find(({ name }) => name === 'history/index.json')).toMatchObject({
    schema: 'schema/history.json',
  });
  expect(files.filter(({ name }) => name.includes('2026'))).toEqual([]);
  const find = createExportedFiles(() => dir);
  expect(find('history/2026-01-01.json.gz')?.bytes).toBe(readFileSync(pathOf(dir, '2026-01-01')).byteLength);
  expect(find('history/index.json')).not.toBeNull();
  expect(
    ['history/2026-01-02.json.gz', 'history/../instances.json', 'history/.2026-01-01.json.gz.1-a.tmp'].map(find),
  ).toEqual([null, null, null]);
});

test('a dated file is read like an instances.json', async () => {
  const dir = await newFolder();
  await exportAt(dir, createWorld().source, noon);
  const { instances, generatedAt, skipped } = await readInstances(pathOf(dir, '2026-01-01'));
  expect(instances.map(({ domain }) => domain)).toEqual(names);
  expect([generatedAt, skipped]).toEqual(['2026-01-01T12:00:00.000Z', 0]);
  await expect(readInstances(pathOf(dir, '2026-01-01'), { maxBytes: 2_000 })).rejects.toMatchObject({
    fault: 'too-large',
  });
  writeFileSync(pathOf(dir, '2026-01-01'), readFileSync(pathOf(dir, '2026-01-01')).subarray(0, -20));
  await expect(readInstances(pathOf(dir, '2026-01-01'))).rejects.toMatchObject({ fault: 'not-json' });
});

test('days without an export are gaps of the index', async () => {
  const dir = await newFolder();
  const { source } = createWorld();
  for (const day of [0, 1, 4, 6]) await exportAt(dir, source, noon + day * DAY);
  expect(readHistory(dir).gaps).toEqual(['2026-01-03', '2026-01-04', '2026-01-06']);
});

test('a file from a time when the clock was ahead makes no gap of days to come', async () => {
  const dir = await newFolder();
  const { source } = createWorld();
  for (const day of [0, 300, 2]) await exportAt(dir, source, noon + day * DAY);
  expect(datesIn(dir)).toHaveLength(3);
  expect(readHistory(dir).gaps).toEqual(['2026-01-02']);
});

test('a request not to be published removes the instance from every file that has it, and leaves the others', async () => {
  const dir = await newFolder();
  const world = createWorld(['a.example']);
  await exportAt(dir, world.source, noon);
  world.listed = names;
  for (const day of [1, 2]) await exportAt(dir, world.source, noon + day * DAY);
  const before = readHistory(dir);
  const original = readDated(dir, '2026-01-02');
  world.withheld.add('b.example');
  world.requests = 1;
  await exportAt(dir, world.source, noon + 2 * DAY + 5_000);
  expect(['2026-01-01', '2026-01-02', '2026-01-03'].map((date) => domainsOn(dir, date))).toEqual([
    ['a.example'],
    ['a.example', 'c.example'],
    ['a.example', 'c.example'],
  ]);
  const after = readHistory(dir);
  const [first, second] = before.files;
  const { writtenAt, bytes, sha256 } = second ?? {};
  expect(after.files[0]).toEqual(first);
  expect(after.files[1]).toMatchObject({
    writtenAt: '2026-01-03T12:00:05.000Z',
    instances: 2,
    replaced: [{ writtenAt, bytes, sha256, instances: 3 }],
  });
  const { counts, instances, ...rest } = readDated(dir, '2026-01-02');
  expect(rest).toEqual({ schemaVersion: 1, date: '2026-01-02', generatedAt: original.generatedAt });
  expect(counts).toMatchObject({ instances: 2, up: 2 });
  expect(instances).toEqual(original.instances.filter(({ domain }) => domain !== 'b.example'));
  for (const name of names) world.withheld.add(name);
  world.requests = 2;
  await exportAt(dir, world.source, noon + 2 * DAY + 6_000);
  expect(readDated(dir, '2026-01-02')).toMatchObject({ counts: { instances: 0 }, instances: [] });
  expect(readHistory(dir).files[1]?.replaced).toHaveLength(2);
});

test('without a new request no file is read again; with `mustCheckHistory` every file is', async () => {
  const dir = await newFolder();
  const world = createWorld();
  await exportAt(dir, world.source, noon);
  const damaged = gzipSync('damaged', { level: 0 });
  const bytes = readFileSync(pathOf(dir, '2026-01-01'));
  damaged.copy(bytes);
  writeFileSync(pathOf(dir, '2026-01-01'), bytes);
  await exportAt(dir, world.source, noon + DAY);
  expect(datesIn(dir)).toEqual(['2026-01-01', '2026-01-02']);
  const report = await exportAt(dir, world.source, noon + DAY, { mustCheckHistory: true });
  expect(datesIn(dir)).toEqual(['2026-01-02']);
  expect(report.damaged).toEqual(['history/2026-01-01.json.gz']);
  readHistory(dir);
});

test('a file whose rewrite or index entry a killed export lost is listed by the next export', async () => {
  const dir = await newFolder();
  const world = createWorld();
  for (const day of [0, 1]) await exportAt(dir, world.source, noon + day * DAY);
  const index = readFileSync(join(dir, 'history/index.json'), 'utf8');
  world.withheld.add('b.example');
  world.requests = 1;
  await exportAt(dir, world.source, noon + 2 * DAY);
  // As after a kill between the last dated file and the index.
  writeFileSync(join(dir, 'history/index.json'), index);
  await exportAt(dir, world.source, noon + 2 * DAY + 1_000);
  expect(readHistory(dir).files.map(({ replaced }) => replaced.length)).toEqual([1, 1, 0]);
  rmSync(join(dir, 'history/index.json'));
  await exportAt(dir, world.source, noon + 3 * DAY);
  expect(readHistory(dir).files.map(({ date, writtenAt }) => [date, writtenAt])).toEqual(
    [0, 1, 2, 3].map((day) => {
      const at = new Date(noon + day * DAY).toISOString();
      return [at.slice(0, 10), at];
    }),
  );
});

test('daily files are kept for 400 days, then the first of each month for good', async () => {
  const dir = await newFolder();
  const { source } = createWorld();
  for (const day of [0, 1, 30, 33, 40]) await exportAt(dir, source, noon + day * DAY);
  expect(datesIn(dir)).toEqual(['2026-01-01', '2026-01-02', '2026-01-31', '2026-02-03', '2026-02-10']);
  await exportAt(dir, source, noon + 402 * DAY);
  expect(datesIn(dir)).toEqual(['2026-01-01', '2026-01-31', '2026-02-03', '2026-02-10', '2027-02-07']);
  expect(readHistory(dir).gaps).toHaveLength(400 - 3);
  await exportAt(dir, source, noon + 830 * DAY);
  expect(datesIn(dir)).toEqual(['2026-01-01', '2026-02-03', '2027-02-07', '2028-04-10']);
  readHistory(dir);
});

test('an aborted or failed export leaves the history as it was', async () => {
  const dir = await newFolder();
  const world = createWorld();
  await exportAt(dir, world.source, noon);
  const before = await filesIn(join(dir, 'history'));
  world.withheld.add('b.example');
  world.requests = 1;
  await expect(exportAt(dir, world.source, noon + DAY, { signal: AbortSignal.abort() })).rejects.toThrow();
  expect(await filesIn(join(dir, 'history'))).toEqual(before);
});

test('the text of a dated file has one line for each instance', async () => {
  const dir = await newFolder();
  await exportAt(dir, createWorld().source, noon);
  const lines = gunzipSync(readFileSync(pathOf(dir, '2026-01-01')))
    .toString()
    .split('\n');
  expect(lines.filter((line) => line.startsWith('{"domain":'))).toHaveLength(3);
});
