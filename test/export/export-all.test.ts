import { execFileSync } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ExportOptions, exportAll } from '../../src/export/export-all.ts';
import { publishedSchemas } from '../../src/export/schema/published-schemas.ts';
import { UNKNOWN_HOST } from '../../src/model/facts/host-facts.ts';
import type { StoreReader } from '../../src/store/store-reader.ts';
import { filesIn, manifestFaults, newFolder, readManifest } from './export-folder.ts';
import { domainRecordOf, instanceRecordOf, unknownFacts } from './record-of.ts';
import { emptySource, sourceOf } from './row-of.ts';

const source: StoreReader = sourceOf({
  domains: {
    all: () => [
      domainRecordOf('a.example.org', {
        listedBy: [
          { source: 'fedidb', firstAt: Date.UTC(2026, 0, 1), lastAt: Date.UTC(2026, 0, 2) },
          { source: 'file-seeds', firstAt: Date.UTC(2025, 11, 31), lastAt: Date.UTC(2026, 0, 1) },
        ],
      }),
      domainRecordOf('b.example.org:8443', { state: 'failing', verdict: 'unreachable', reason: 'connect-timeout' }),
      domainRecordOf('c.example.org', {
        state: 'new',
        verdict: null,
        reason: null,
        via: null,
        software: null,
        version: null,
        lastVisit: null,
        lastSeen: null,
      }),
      domainRecordOf('d.example.org', {
        host: { ...UNKNOWN_HOST, noindex: true },
        listedBy: [{ source: 'fedidb', firstAt: 1, lastAt: 1 }],
      }),
    ],
  },
  instances: {
    listed: () => [
      instanceRecordOf('a.example.org'),
      instanceRecordOf('b.example.org:8443', { state: 'failing', facts: unknownFacts }),
    ],
  },
});
const empty = emptySource;
const at = Date.UTC(2026, 1, 3, 4, 5, 6, 7);
const options = (dir: string, overrides: Partial<ExportOptions> = {}): ExportOptions => ({
  source,
  dir,
  now: () => at,
  toolVersion: '9.8.7',
  ...overrides,
});
const instancesOf = async (dir: string) => JSON.parse(await readFile(join(dir, 'instances.json'), 'utf8'));
const textOf = (dir: string, name: string) => readFile(join(dir, name), 'utf8');

/** The exported {@link source}; no test changes it. */
let exported: string;
beforeAll(async () => {
  exported = await newFolder();
  await exportAll(options(exported));
});

describe('the files', () => {
  test('are the datasets, their schemas and the manifest', async () => {
    const dir = join(await newFolder(), 'deep', 'export');
    const report = await exportAll(options(dir));
    const names = Object.keys(await filesIn(dir));
    expect(names.filter((name) => !/^schema\/|\.gz$/.test(name))).toEqual([
      'CITATION.cff',
      'CODEBOOK.md',
      'changes.csv',
      'changes.ndjson',
      'changes.parquet',
      'datapackage.json',
      'domains.csv',
      'domains.ndjson',
      'domains.parquet',
      'domains.txt',
      'feed.atom',
      'history/index.json',
      'instances-all.csv',
      'instances-all.parquet',
      'instances.csv',
      'instances.json',
      'instances.min.json',
      'instances.parquet',
      'manifest.json',
      'memberships.csv',
      'memberships.parquet',
      'stats.csv',
      'stats.json',
    ]);
    for (const { name } of publishedSchemas) expect(names).toContain(`schema/${name}.json`);
    expect(report).toMatchObject({ dir, changed: true, generatedAt: '2026-02-03T04:05:06.007Z' });
    expect(report.files.every((file) => file.changed)).toBe(true);
  });

  test('are cited with the day of the last published visit, or without a date if there is none', async () => {
    const dir = await newFolder();
    await exportAll(options(dir));
    expect(await textOf(dir, 'CITATION.cff')).toContain('version: "2026-01-01"\ndate-released: "2026-01-01"\n');
    await exportAll(options(dir, { source: empty }));
    expect(await textOf(dir, 'CITATION.cff')).not.toContain('date-released');
  });

  test('pass sha256sum with the hashes of the manifest', async () => {
    expect(await manifestFaults(exported)).toEqual([]);
    const { files } = await readManifest(exported);
    const list = files.map(({ sha256, name }) => `${sha256}  ${name}\n`).join('');
    const output = execFileSync('sha256sum', ['--check', '--strict'], { cwd: exported, input: list, encoding: 'utf8' });
    expect(output.trim().split('\n')).toHaveLength(files.length);
  });

  test('are listed in the manifest with their schema, or with null if they are schemas, plain texts or the feed', async () => {
    const manifest = await readManifest(exported);
    expect(Object.keys(manifest)).toEqual(['schemaVersion', 'generatedAt', 'tool', 'counts', 'files']);
    expect(manifest.tool).toEqual({ name: 'loopscout', version: '9.8.7' });
    const schemaOf = new Map(manifest.files.map(({ name, schema }) => [name, schema]));
    for (const name of ['instances', 'instances.min', 'stats']) {
      expect(schemaOf.get(`${name}.json`)).toBe(`schema/${name}.json`);
      expect(schemaOf.get(`schema/${name}.json`)).toBe(null);
    }
    expect(schemaOf.get('domains.ndjson')).toBe('schema/domains.json');
    expect(schemaOf.get('instances.csv')).toBe('schema/instances.csv.json');
    for (const name of ['changes.ndjson', 'changes.csv', 'changes.parquet']) {
      expect(schemaOf.get(name)).toBe('schema/changes.json');
    }
    for (const name of ['domains.txt', 'feed.atom', 'CODEBOOK.md', 'CITATION.cff', 'datapackage.json']) {
      expect(schemaOf.get(name)).toBe(null);
    }
    for (const schema of schemaOf.values()) if (schema !== null) expect(schemaOf.get(schema)).toBe(null);
  });

  test('have the same bytes for the same rows, in any folder and after any number of exports', async () => {
    const [first, second] = [await newFolder(), await newFolder()];
    await exportAll(options(first));
    await exportAll(options(second, { source: empty }));
    // The file of a day has the instances of its first export.
    await rm(join(second, 'history'), { recursive: true });
    await exportAll(options(second));
    const hashes = async (dir: string) =>
      Object.entries(await filesIn(dir)).map(([name, { sha256 }]) => [name, sha256]);
    expect(await hashes(second)).toEqual(await hashes(first));
  });

  test('are complete if there is nothing to list', async () => {
    const dir = await newFolder();
    const report = await exportAll(options(dir, { source: empty }));
    expect(await textOf(dir, 'domains.ndjson')).toBe('');
    expect((await instancesOf(dir)).instances).toEqual([]);
    expect((await instancesOf(dir)).counts.users).toEqual({ total: null, reporting: 0, implausible: 0 });
    expect(report.counts).toMatchObject({ domains: 0, instances: 0, verdicts: { loops: 0 }, states: { new: 0 } });
    expect(await manifestFaults(dir)).toEqual([]);
  });
});

describe('an instances entry', () => {
  test('has exactly the published fields, in their order', async () => {
    const file = await instancesOf(exported);
    expect(Object.keys(file)).toEqual(['schemaVersion', 'generatedAt', 'counts', 'instances']);
    expect(JSON.stringify(file.instances[0])).toBe(
      JSON.stringify({
        domain: 'a.example.org',
        url: 'https://a.example.org',
        name: 'Loops',
        description: 'Short videos.',
        software: 'loops',
        version: '1.0.0',
        via: 'config',
        registration: { open: true, mode: 'open' },
        federation: true,
        features: {
          forYouFeed: true,
          pushNotifications: false,
          starterKits: true,
          atomFeeds: false,
          gifProvider: true,
        },
        limits: { maxVideoSizeMB: 40, maxVideoDurationSeconds: 180, videoFormats: ['mp4', 'webm'], maxBioLength: 500 },
        usage: { users: 100, activeMonth: 20, activeHalfyear: 50, posts: 900, asOf: '2026-01-01T00:00:00.900Z' },
        growth: 12,
        status: 'up',
        uptime: { day: 1, week: 0.6666, month: null, coverage: { day: 0.9876, week: 0.75, month: 0.2 } },
        hosting: { country: 'DE', asn: 64_500, network: 'Example; Ltd', behind: null },
        missing: [],
        flags: ['version-mismatch'],
        joinable: true,
        firstSeen: '2026-01-01T00:00:00.000Z',
        lastSeen: '2026-01-01T00:00:01.000Z',
        checkedAt: '2026-01-01T00:00:01.000Z',
      }),
    );
  });

  test('keeps its nested objects, with null leaves, if nothing is known', async () => {
    expect((await instancesOf(exported)).instances[1]).toMatchObject({
      url: 'https://b.example.org:8443',
      name: null,
      registration: { open: null, mode: null },
      features: { forYouFeed: null, pushNotifications: null, starterKits: null, atomFeeds: null, gifProvider: null },
      limits: { maxVideoSizeMB: null, maxVideoDurationSeconds: null, videoFormats: null, maxBioLength: null },
      usage: { users: null, activeMonth: null, activeHalfyear: null, posts: null, asOf: null },
      status: 'down',
    });
  });

  test('is counted without treating unreported values as zero', async () => {
    expect((await instancesOf(exported)).counts).toEqual({
      instances: 2,
      up: 1,
      down: 1,
      users: { total: 100, reporting: 1, implausible: 0 },
      activeMonth: { total: 20, reporting: 1, implausible: 0 },
      activeHalfyear: { total: 50, reporting: 1, implausible: 0 },
      posts: { total: 900, reporting: 1, implausible: 0 },
    });
  });

  test('is one line, for any instance name', async () => {
    const names = ['a\nb', 'a\r\u0085b', '\u2028\u2029', '\ud800', '"},{"', '</script>', '\u0000\u202e'];
    const hostile: StoreReader = sourceOf({
      instances: { listed: () => names.map((name, i) => instanceRecordOf(`h${i}.example.org`, { facts: { name } })) },
    });
    const dir = await newFolder();
    await exportAll(options(dir, { source: hostile }));
    const text = await textOf(dir, 'instances.json');
    const lines = text.split(/\r\n|[\n\r\u2028\u2029]/);
    expect(lines.filter((line) => line.startsWith('{"domain"'))).toHaveLength(names.length);
    expect(lines).toHaveLength(names.length + 6);
    expect(Buffer.from(text, 'utf8').toString('utf8')).toBe(text);
    expect((await instancesOf(dir)).instances.map((entry: { name: string }) => entry.name)).toEqual(names);
  });
});

describe('a line of domains.ndjson', () => {
  test('has exactly the published fields, in their order; a domain that asks not to be published has no line', async () => {
    const dir = await newFolder();
    const { counts } = await exportAll(options(dir));
    const lines = (await textOf(dir, 'domains.ndjson')).split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => JSON.parse(line).domain)).toEqual([
      'a.example.org',
      'b.example.org:8443',
      'c.example.org',
    ]);
    expect(await textOf(dir, 'memberships.csv')).toBe(
      [
        'domain,source,firstListed,lastListed',
        'a.example.org,fedidb,2026-01-01T00:00:00.000Z,2026-01-02T00:00:00.000Z',
        'a.example.org,file-seeds,2025-12-31T00:00:00.000Z,2026-01-01T00:00:00.000Z\r\n',
      ].join('\r\n'),
    );
    expect(lines[0]).toBe(
      JSON.stringify({
        domain: 'a.example.org',
        verdict: 'other',
        reason: 'nodeinfo-software',
        via: 'nodeinfo',
        software: 'pixelfed',
        version: '0.12.4',
        aliasOf: null,
        ...{ country: 'DE', asn: 64_500, network: 'Example; Ltd', behind: null },
        state: 'active',
        sources: ['fedidb', 'file-seeds'],
        firstListed: '2025-12-31T00:00:00.000Z',
        lastListed: '2026-01-02T00:00:00.000Z',
        firstSeen: '2026-01-01T00:00:00.000Z',
        lastVisit: '2026-01-01T00:00:01.000Z',
        lastSeen: '2026-01-01T00:00:01.000Z',
        nextVisit: '2026-01-08T00:00:00.000Z',
      }),
    );
    expect(counts).toEqual({
      instances: 2,
      up: 1,
      down: 1,
      domains: 3,
      visited: 2,
      verdicts: { loops: 0, other: 1, unidentified: 0, unreachable: 1, declined: 0, alias: 0 },
      states: { new: 1, active: 1, failing: 1, dead: 0, gone: 0 },
    });
    expect((await readManifest(dir)).counts).toEqual(counts);
  });
});

describe('a second export', () => {
  test('writes nothing if only the time changed', async () => {
    const dir = await newFolder();
    await exportAll(options(dir));
    const before = await filesIn(dir);
    const report = await exportAll(options(dir, { now: () => at + 60_000 }));
    expect(await filesIn(dir)).toEqual(before);
    expect(report.changed).toBe(false);
    expect(report.files.map(({ name, bytes, sha256 }) => [name, bytes, sha256])).toEqual(
      (await readManifest(dir)).files.map(({ name, bytes, sha256 }) => [name, bytes, sha256]),
    );
  });

  test('rewrites only changed files, the data package and the manifest', async () => {
    const dir = await newFolder();
    await exportAll(options(dir));
    const before = await filesIn(dir);
    const changed = sourceOf({ domains: { all: () => [domainRecordOf('z.example.org')] } }, source);
    const names = ['csv', 'ndjson', 'parquet'].map((format) => `domains.${format}`);
    names.push('memberships.csv', 'memberships.parquet', 'datapackage.json', 'datapackage.json.gz');
    const report = await exportAll(options(dir, { source: changed, now: () => at + 60_000 }));
    const after = await filesIn(dir);
    const rewritten = Object.keys(after).filter((name) => after[name]?.inode !== before[name]?.inode);
    expect(rewritten).toEqual([...names, 'manifest.json'].toSorted());
    expect(report.files.flatMap((file) => (file.changed ? file.name : [])).toSorted()).toEqual(names.toSorted());
    expect(await manifestFaults(dir)).toEqual([]);
    expect((await instancesOf(dir)).generatedAt).toBe('2026-02-03T04:05:06.007Z');
    expect((await readManifest(dir)).generatedAt).toBe('2026-02-03T04:06:06.007Z');
  });

  test('detects a change that keeps the size', async () => {
    const dir = await newFolder();
    const named = (name: string): StoreReader =>
      sourceOf({ instances: { listed: () => [instanceRecordOf('a.example.org', { facts: { name } })] } });
    await exportAll(options(dir, { source: named('Loops') }));
    await exportAll(options(dir, { source: named('Lupes') }));
    expect((await instancesOf(dir)).instances[0].name).toBe('Lupes');
  });

  test('repairs a damaged or truncated file', async () => {
    const dir = await newFolder();
    await exportAll(options(dir));
    const original = await textOf(dir, 'instances.json');
    await writeFile(join(dir, 'instances.json'), original.slice(0, 300));
    await writeFile(join(dir, 'domains.ndjson'), (await textOf(dir, 'domains.ndjson')).replace('active', 'acXive'));
    await exportAll(options(dir));
    expect(await textOf(dir, 'instances.json')).toBe(original);
    expect(await manifestFaults(dir)).toEqual([]);
  });
});

test('an abort leaves the published files unchanged', async () => {
  const dir = await newFolder();
  await exportAll(options(dir));
  const before = await filesIn(dir);
  const controller = new AbortController();
  const aborting: StoreReader = sourceOf({
    domains: {
      *all() {
        yield domainRecordOf('a.example.org');
        controller.abort(new Error('shutting down'));
      },
    },
  });
  await expect(exportAll(options(dir, { source: aborting, signal: controller.signal }))).rejects.toThrow(
    'shutting down',
  );
  expect(await filesIn(dir)).toEqual(before);
});
