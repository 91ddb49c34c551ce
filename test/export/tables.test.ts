import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parquetMetadata } from 'hyparquet';
import { beforeAll, describe, expect, test } from 'vitest';
import { exportAll } from '../../src/export/export-all.ts';
import type { StoreReader } from '../../src/store/store-reader.ts';
import { queryDuckDb } from './duckdb.ts';
import { filesIn, newFolder, readManifest } from './export-folder.ts';
import { generatedSource } from './generated-source.ts';
import { readCsv, readParquet } from './read-back.ts';
import { domainRecordOf, historyOf, instanceRecordOf, unknownFacts } from './record-of.ts';
import { changeOf, emptySource, START, sourceOf, usageOf, visitOf } from './row-of.ts';

const HOSTILE = [
  '\t=1',
  '\r=1',
  '\n=1',
  '=1+1',
  "'tis",
  '',
  '"quoted", and\r\nmore',
  '\u2028',
  '\ud800',
  '＝1',
  '@x',
  'plain',
];

const source: StoreReader = sourceOf({
  domains: {
    all: () => [
      domainRecordOf('a.example.org', { listedBy: [{ source: 'fedidb', firstAt: START, lastAt: START + 1 }] }),
      domainRecordOf('b.example.org', {
        ...{ verdict: null, reason: null, via: null, software: null, version: null, lastVisit: null, lastSeen: null },
        listedBy: ['fedidb', 'file-seeds'].map((name) => ({ source: name, firstAt: START, lastAt: START })),
      }),
    ],
  },
  instances: {
    listed: () => [
      ...HOSTILE.map((name, i) => instanceRecordOf(`h${i}.example.org`, { facts: { name } })),
      instanceRecordOf('unknown.example.org', { facts: unknownFacts }),
    ],
    histories: () => Iterator.from(source.instances.listed(START)).map((record) => historyOf({ record })),
  },
  changes: {
    published: () => [
      ...HOSTILE.map((to, i) => changeOf(`h${i}.example.org`, { field: 'name', from: null, to, at: START + i })),
      changeOf('a.example.org', { field: 'federation', from: true, to: false }),
      changeOf('a.example.org', { field: 'limits.maxVideoSizeMB', from: 40, to: null, cause: 'added' }),
      changeOf('a.example.org', { field: 'limits.videoFormats', from: [], to: ['mp4', '=x'], cause: 'added' }),
    ],
  },
  visits: {
    months: () => ['2026-01'],
    ofMonth: () => [
      ...HOSTILE.map((version, i) => visitOf(`h${i}.example.org`, { id: i, version, at: START + i })),
      visitOf('b.example.org', {
        ...{ id: 90, verdict: 'unreachable', reason: 'connect-timeout', durationMs: 0 },
        ...{ via: null, software: null, version: null, state: null, flags: null },
      }),
      visitOf('c.example.org', { id: 91, flags: [] }),
    ],
  },
  usage: {
    months: () => ['2026-01'],
    ofMonth: () => [
      usageOf('a.example.org', { users: 0, activeMonth: null, posts: Number.MAX_SAFE_INTEGER }),
      usageOf('b.example.org', { users: null, activeMonth: null, activeHalfyear: null, posts: 2 ** 40 }),
    ],
  },
});
/** The CSV and the Parquet file of each table that has both. */
const PAIRS = [
  ['changes.csv', 'changes.parquet'],
  ['domains.csv', 'domains.parquet'],
  ['memberships.csv', 'memberships.parquet'],
  ['instances.csv', 'instances.parquet'],
  ['instances-all.csv', 'instances-all.parquet'],
  ['visits/2026-01.csv.gz', 'visits/2026-01.parquet'],
  ['usage/2026-01.csv.gz', 'usage/2026-01.parquet'],
] as const;

async function exportFolder(rowSource: StoreReader): Promise<string> {
  const dir = await newFolder();
  await exportAll({ source: rowSource, dir, now: () => START + 86_400_000, toolVersion: '1.0.0' });
  return dir;
}

/** The types of the columns of a file, as DuckDB finds them. */
async function typesOf(dir: string, name: string) {
  const columns = await queryDuckDb(`describe select * from '${join(dir, name)}'`);
  return Object.fromEntries(columns.map((row) => [row.column_name, row.column_type]));
}

/** The exported {@link source}; no test changes it. */
let dir: string;
beforeAll(async () => {
  dir = await exportFolder(source);
});

describe('tables', () => {
  test.each(PAIRS)('have the same rows in %s and %s', async (csv, parquet) => {
    const rows = await readCsv(dir, csv);
    expect(rows.length).toBeGreaterThan(1);
    // Both have U+FFFD in place of a lone surrogate, which UTF-8 cannot encode.
    expect(await readParquet(dir, parquet)).toEqual(rows);
  });

  test.each(PAIRS)('have in %s the same domains and nulls as DuckDB reads from %s', async (csv, parquet) => {
    const rows = await readCsv(dir, csv);
    const columns = Object.keys(rows[0] ?? {}).map((name) => `"${name}"::varchar as "${name}"`);
    const read = await queryDuckDb(`select ${columns} from '${join(dir, parquet)}'`);
    expect(read.map((row) => Object.entries(row).map(([name, value]) => [name, value === null]))).toEqual(
      rows.map((row) => Object.entries(row).map(([name, value]) => [name, value === null])),
    );
    expect(read.map(({ domain }) => domain)).toEqual(rows.map(({ domain }) => domain));
  });

  test('are read by DuckDB with whole numbers as BIGINT, times as TIMESTAMP and lists of texts as VARCHAR[]', async () => {
    const types = (name: string) => typesOf(dir, name);
    expect(await types('visits/2026-01.parquet')).toMatchObject({
      visitedAt: 'TIMESTAMP WITH TIME ZONE',
      durationMs: 'BIGINT',
      flags: 'VARCHAR[]',
    });
    expect(await types('usage/2026-01.parquet')).toMatchObject({ users: 'BIGINT' });
    expect(
      await queryDuckDb(`select max(users) as most, max(posts) as posts from '${join(dir, 'usage/2026-01.parquet')}'`),
    ).toEqual([{ most: '0', posts: String(Number.MAX_SAFE_INTEGER) }]);
  });

  test('have in Parquet the same types without rows, with few and with many; in CSV, shares are DOUBLE, also if all are 1', async () => {
    const empty = await exportFolder(emptySource);
    const full = await exportFolder(generatedSource(100, 40, 1));
    const tables = Object.keys(await filesIn(full)).filter((name) => name.endsWith('.parquet'));
    expect(tables.length).toBeGreaterThan(6);
    for (const name of tables) {
      const types = await typesOf(dir, name);
      expect(await typesOf(full, name), name).toEqual(types);
      // Empty months have no files.
      if (!name.includes('/')) expect(await typesOf(empty, name), name).toEqual(types);
    }
    expect(await typesOf(empty, 'domains.parquet')).toMatchObject({
      lastVisit: 'TIMESTAMP WITH TIME ZONE',
      sources: 'VARCHAR[]',
    });
    for (const folder of [dir, full])
      expect(await typesOf(folder, 'instances.csv')).toMatchObject({ uptime_day: 'DOUBLE' });
  });

  test('have no column, in CSV, Parquet or NDJSON, that SQL needs quotes for because it is a keyword', async () => {
    const { domains, changes, instances } = generatedSource(3, 3, 1);
    const { histories } = instances;
    const dir = await exportFolder(sourceOf({ domains, changes, instances: { histories } }, source));
    const keywords = await queryDuckDb(
      `select keyword_name from duckdb_keywords() where keyword_category <> 'unreserved'`,
    );
    const reserved = keywords.map(({ keyword_name: keyword }) => keyword);
    expect(reserved).toEqual(expect.arrayContaining(['at', 'from', 'to']));
    const tables = Object.keys(await filesIn(dir)).filter((name) => /\.(ndjson|parquet|csv)(\.gz)?$/.test(name));
    expect(tables.length).toBeGreaterThan(8);
    for (const name of tables) {
      const described = await queryDuckDb(`describe select * from '${join(dir, name)}'`);
      const columns = described.map((row) => String(row.column_name));
      expect(columns.length, name).toBeGreaterThan(1);
      expect(
        columns.filter((column) => reserved.includes(column.toLowerCase())),
        name,
      ).toEqual([]);
      await queryDuckDb(`select ${columns} from '${join(dir, name)}' limit 1`);
    }
  });

  test('have the values of changes as bare texts', async () => {
    for (const name of ['changes.csv', 'changes.parquet']) {
      const read = name === 'changes.csv' ? readCsv : readParquet;
      expect((await read(dir, name)).slice(-4).map(({ before, after }) => [before, after])).toEqual([
        [null, 'plain'],
        ['true', 'false'],
        ['40', null],
        ['', 'mp4; =x'],
      ]);
    }
  });

  test('are valid without rows', async () => {
    const dir = await exportFolder(emptySource);
    expect(await readCsv(dir, 'changes.csv')).toEqual([]);
    expect(await readFile(join(dir, 'changes.csv'), 'utf8')).toBe(
      'domain,changedAt,field,before,after,missing,cause\r\n',
    );
    expect(await readParquet(dir, 'changes.parquet')).toEqual([]);
    expect(Object.keys(await filesIn(dir)).filter((name) => /^(visits|usage)/.test(name))).toEqual([]);
  });

  test('have UTC timestamps in milliseconds, nullable integers and lists of texts', async () => {
    const bytes = await readFile(join(dir, 'visits/2026-01.parquet'));
    const { schema } = parquetMetadata(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
    const element = (name: string) => schema.find((column) => column.name === name);
    expect(element('visitedAt')).toMatchObject({
      type: 'INT64',
      repetition_type: 'REQUIRED',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
    });
    expect(element('version')).toMatchObject({
      type: 'BYTE_ARRAY',
      repetition_type: 'OPTIONAL',
      converted_type: 'UTF8',
    });
    expect(element('durationMs')).toMatchObject({ type: 'INT64', repetition_type: 'REQUIRED' });
    expect(element('flags')).toMatchObject({ repetition_type: 'OPTIONAL', converted_type: 'LIST', num_children: 1 });
    expect(element('element')).toMatchObject({ type: 'BYTE_ARRAY', converted_type: 'UTF8' });
  });

  test('hold no formula cells, and give the original text after removal of one leading apostrophe', async () => {
    const names = (await readCsv(dir, 'instances.csv')).map((row) => row.name ?? null);
    for (const name of names) expect(name ?? '').not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/);
    expect(names.map((name) => name?.replace(/^'/, '') ?? null)).toEqual([
      ...HOSTILE.map((name) => name.toWellFormed()),
      null,
    ]);
  });
});

describe('compressed copies', () => {
  test('exist for every text file over 1 KB, with the same bytes and schema', async () => {
    const dir = await exportFolder(generatedSource(100, 20, 1));
    const { files } = await readManifest(dir);
    const texts = files.filter(({ name }) => !/\.(gz|parquet)$/.test(name));
    expect(texts.length).toBeGreaterThan(15);
    for (const { name, bytes, schema } of texts) {
      const copy = files.find((file) => file.name === `${name}.gz`);
      expect([name, copy !== undefined]).toEqual([name, bytes > 1024]);
      if (copy === undefined) continue;
      expect(copy.schema).toBe(schema);
      const compressed = await readFile(join(dir, copy.name));
      expect(gunzipSync(compressed).equals(await readFile(join(dir, name)))).toBe(true);
      // RFC 1952: no modification time, and 255 for an unknown operating system.
      expect([...compressed.subarray(4, 8), compressed[9]]).toEqual([0, 0, 0, 0, 255]);
    }
  });

  test('are rewritten only when their file is, and deleted once it is small', async () => {
    const dir = await exportFolder(generatedSource(100, 20, 1));
    const before = await filesIn(dir);
    const exportAgain = (rowSource: StoreReader) =>
      exportAll({ source: rowSource, dir, now: () => START + 2 * 86_400_000, toolVersion: '1.0.0' });
    await exportAgain(
      sourceOf({ instances: { listed: () => [instanceRecordOf('a.example.org')] } }, generatedSource(100, 20, 1)),
    );
    const after = await filesIn(dir);
    expect(after['domains.ndjson.gz']).toEqual(before['domains.ndjson.gz']);
    expect(after['instances.json.gz']?.inode).not.toBe(before['instances.json.gz']?.inode);
    await exportAgain(emptySource);
    expect(Object.keys(await filesIn(dir))).not.toContain('domains.ndjson.gz');
  });

  test('are written again if damaged', async () => {
    const dir = await exportFolder(generatedSource(100, 20, 1));
    const { files } = await readManifest(dir);
    const path = join(dir, 'domains.ndjson.gz');
    const bytes = await readFile(path);
    bytes[40] = (bytes[40] ?? 0) ^ 1;
    await writeFile(path, bytes);
    await exportAll({ source: generatedSource(100, 20, 1), dir, now: () => START, toolVersion: '1.0.0' });
    expect((await filesIn(dir))['domains.ndjson.gz']?.sha256).toBe(
      files.find(({ name }) => name === 'domains.ndjson.gz')?.sha256,
    );
  });
});
