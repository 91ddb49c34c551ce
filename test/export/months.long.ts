import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Months } from '../../src/export/bulk/stage-months.ts';
import { exportAll } from '../../src/export/export-all.ts';
import { storedDomain } from '../../src/model/domain/domain.ts';
import { monthOf } from '../../src/model/month.ts';
import { createOptOutSet } from '../../src/model/opt-outs/opt-out-names.ts';
import type { VisitOutcome } from '../../src/model/visit.ts';
import { filesIn, manifestFaults, newFolder, readManifest } from './export-folder.ts';
import { readCsv, readParquet } from './read-back.ts';
import { sourceOf, visitOf } from './row-of.ts';

const DAY = 86_400_000;
const january = Date.UTC(2026, 0, 10);
const february = Date.UTC(2026, 1, 10);
const march = Date.UTC(2026, 2, 10);

/** A host that opted out, and the time before which visits were deleted. */
interface Stored {
  optedOut?: string;
  visitsKeptSince?: number;
}

const storedOf = (visits: readonly VisitOutcome[], { optedOut, visitsKeptSince = 0 }: Stored = {}) => ({
  source: sourceOf({
    visits: {
      months: () => [...new Set(visits.map(({ at }) => monthOf(at)))],
      *ofMonth(month) {
        yield* visits.filter(({ at }) => monthOf(at) === month);
      },
    },
    optOuts: { has: createOptOutSet(new Set(optedOut === undefined ? [] : [optedOut])).has },
  }),
  visitsKeptSince,
});
const visits = [
  visitOf('a.example.org', { id: 1, at: january }),
  visitOf('b.example.org', { id: 2, at: january + 1 }),
  visitOf('a.example.org', { id: 3, at: february }),
];
const exportInto = (dir: string, stored: ReturnType<typeof storedOf>, at: number, months: Months = 'all') =>
  exportAll({ ...stored, dir, now: () => at, toolVersion: '1.0.0', months });
const domainsOf = async (dir: string, month: string) =>
  (await readCsv(dir, `visits/${month}.csv.gz`)).map(({ domain }) => domain);
describe('months', () => {
  test('have a Parquet and a CSV file each, marked complete one day after the month ends', async () => {
    const dir = await newFolder();
    await exportInto(dir, storedOf(visits), Date.UTC(2026, 1, 1) + DAY - 1);
    const isComplete = async () =>
      Object.fromEntries(
        (await readManifest(dir)).files.flatMap((file) => ('isComplete' in file ? [[file.name, file.isComplete]] : [])),
      );
    expect(await isComplete()).toEqual({
      'visits/2026-01.parquet': false,
      'visits/2026-01.csv.gz': false,
      'visits/2026-02.parquet': false,
      'visits/2026-02.csv.gz': false,
    });
    await exportInto(dir, storedOf(visits), Date.UTC(2026, 1, 1) + DAY);
    expect(await isComplete()).toMatchObject({ 'visits/2026-01.parquet': true, 'visits/2026-02.parquet': false });
    expect(await domainsOf(dir, '2026-01')).toEqual(['a.example.org', 'b.example.org']);
    expect(await manifestFaults(dir)).toEqual([]);
  });

  test('are not marked complete by a redaction before they end, with visits kept for less than a month', async () => {
    const dir = await newFolder();
    const at = Date.UTC(2026, 0, 25);
    await exportInto(dir, storedOf(visits.slice(0, 2)), at);
    await exportInto(dir, storedOf([], { visitsKeptSince: january + 1, optedOut: 'a.example.org' }), at);
    expect(await domainsOf(dir, '2026-01')).toEqual(['b.example.org']);
    const files = (await readManifest(dir)).files.filter(({ name }) => name.startsWith('visits/'));
    expect(files.map(({ isComplete }) => isComplete)).toEqual([false, false]);
  });

  test('are all rewritten by `all`, only unfinished ones by `rewrite-unfinished`, and no published ones by `only-missing`', async () => {
    const dir = await newFolder();
    await exportInto(dir, storedOf(visits), february + DAY);
    const moreVisits = [
      ...visits,
      visitOf('c.example.org', { id: 4, at: january }),
      visitOf('c.example.org', { id: 5, at: february }),
    ];
    const counts = async () => [(await domainsOf(dir, '2026-01')).length, (await domainsOf(dir, '2026-02')).length];
    await exportInto(dir, storedOf(moreVisits), february + 2 * DAY, 'only-missing');
    expect(await counts()).toEqual([2, 1]);
    expect(await manifestFaults(dir)).toEqual([]);
    await exportInto(dir, storedOf(moreVisits), february + 2 * DAY, 'rewrite-unfinished');
    expect(await counts()).toEqual([2, 2]);
    await exportInto(dir, storedOf(moreVisits), february + 2 * DAY, 'all');
    expect(await counts()).toEqual([3, 2]);
    expect(await manifestFaults(dir)).toEqual([]);
  });

  test.each(['only-missing', 'rewrite-unfinished', 'all'] as const)(
    'with a deleted or damaged file are written again: %s',
    async (months) => {
      const dir = await newFolder();
      await exportInto(dir, storedOf(visits), march);
      await writeFile(join(dir, 'visits/2026-01.parquet'), 'short');
      await rm(join(dir, 'visits/2026-02.csv.gz'));
      await exportInto(dir, storedOf(visits), march, months);
      expect(await manifestFaults(dir)).toEqual([]);
      expect(await readParquet(dir, 'visits/2026-01.parquet')).toEqual(await readCsv(dir, 'visits/2026-01.csv.gz'));
    },
  );

  test('whose visits were deleted stay as published', async () => {
    const dir = await newFolder();
    await exportInto(dir, storedOf(visits), march);
    const before = await filesIn(dir);
    for (const months of ['only-missing', 'rewrite-unfinished', 'all'] as const) {
      await exportInto(dir, storedOf(visits.slice(1), { visitsKeptSince: january + 1 }), march, months);
      await exportInto(dir, storedOf([], { visitsKeptSince: february + 1 }), march, months);
    }
    const after = await filesIn(dir);
    for (const name of ['visits/2026-01.parquet', 'visits/2026-01.csv.gz', 'visits/2026-02.parquet']) {
      expect(after[name]).toEqual(before[name]);
    }
    expect(await manifestFaults(dir)).toEqual([]);
  });

  test.each([
    ['truncated', (bytes: Buffer) => bytes.subarray(0, -20)],
    ['not gzip', () => Buffer.from('what is this')],
    ['empty', () => Buffer.alloc(0)],
  ])('whose visits were deleted and whose file is %s keep the readable rows', async (fault, damage) => {
    const dir = await newFolder();
    const many = Array.from({ length: 400 }, (_, id) => visitOf(`h${id}.example.org`, { id, at: january + id }));
    await exportInto(dir, storedOf(many), march);
    const path = join(dir, 'visits/2026-01.csv.gz');
    await writeFile(path, damage(await readFile(path)));
    await exportInto(dir, storedOf([], { visitsKeptSince: february }), march);
    expect(await manifestFaults(dir)).toEqual([]);
    const remaining = await domainsOf(dir, '2026-01');
    expect(remaining).toEqual(many.slice(0, remaining.length).map(({ domain }) => domain));
    if (fault === 'truncated') expect(remaining.length).toBeGreaterThan(200);
    expect(await readParquet(dir, 'visits/2026-01.parquet')).toEqual(await readCsv(dir, 'visits/2026-01.csv.gz'));
  });

  test('that lost visits before their first export are not exported', async () => {
    const dir = await newFolder();
    await exportInto(dir, storedOf(visits.slice(1), { visitsKeptSince: january + 1 }), march);
    expect(Object.keys(await filesIn(dir)).filter((name) => name.startsWith('visits/'))).toEqual([
      'visits/2026-02.csv.gz',
      'visits/2026-02.parquet',
    ]);
  });

  test.each([
    ['are stored', {}],
    ['were deleted', { visitsKeptSince: march }],
  ])('lose the rows of a domain that opted out if their visits %s', async (_name, overrides) => {
    const dir = await newFolder();
    await exportInto(dir, storedOf(visits), march);
    const remaining = visits.filter(({ domain }) => domain !== 'a.example.org');
    await exportInto(
      dir,
      storedOf(remaining, { optedOut: 'a.example.org', ...overrides }),
      march + DAY,
      'rewrite-unfinished',
    );
    expect(await domainsOf(dir, '2026-01')).toEqual(['b.example.org']);
    expect(await readParquet(dir, 'visits/2026-01.parquet')).toEqual(await readCsv(dir, 'visits/2026-01.csv.gz'));
    const fresh = await newFolder();
    await exportInto(fresh, storedOf(remaining), march + DAY);
    const hash = async (folder: string) => (await filesIn(folder))['visits/2026-01.parquet']?.sha256;
    expect(await hash(dir)).toBe(await hash(fresh));
    expect(await manifestFaults(dir)).toEqual([]);
  });

  test('whose visits were deleted lose every row that an opt-out covers, and the domain as a redirect target; other texts stay', async () => {
    const dir = await newFolder();
    const mentioning = visitOf('b.example.org', { id: 2, at: january, version: '1.0+A.example.org' });
    const covered = ['www.a.example.org', 'a.example.org:8443'].map((name) => visitOf(name, { id: 3, at: january }));
    const alias = visitOf('c.example.org', { id: 4, at: january, aliasOf: storedDomain('www.a.example.org') });
    await exportInto(dir, storedOf([mentioning, ...covered, alias]), march);
    await exportInto(dir, storedOf([], { optedOut: 'a.example.org', visitsKeptSince: february }), march + DAY);
    const rows = await readCsv(dir, 'visits/2026-01.csv.gz');
    expect(rows.map(({ domain, version, aliasOf }) => [domain, version, aliasOf])).toEqual([
      ['b.example.org', '1.0+A.example.org', null],
      ['c.example.org', '1.0.0', null],
    ]);
    expect(await readParquet(dir, 'visits/2026-01.parquet')).toEqual(rows);
    expect(await manifestFaults(dir)).toEqual([]);
  });

  test('that were published before a column was added keep the rows that no opt-out covers', async () => {
    const dir = await newFolder();
    await exportInto(dir, storedOf(visits), march);
    const path = join(dir, 'visits/2026-01.csv.gz');
    const lines = gunzipSync(await readFile(path))
      .toString()
      .split('\r\n');
    const column = lines[0]?.split(',').indexOf('missing') ?? expect.unreachable();
    const older = lines.map((line) => line.split(',').toSpliced(column, 1).join(','));
    await writeFile(path, gzipSync(older.join('\r\n')));
    const later = { visitsKeptSince: march, optedOut: 'a.example.org' };
    await exportInto(dir, storedOf([], later), march + DAY);
    expect(await readCsv(dir, 'visits/2026-01.csv.gz')).toMatchObject([{ domain: 'b.example.org', version: '1.0.0' }]);
  });

  test('without remaining rows are deleted', async () => {
    const dir = await newFolder();
    await exportInto(dir, storedOf(visits), march);
    await exportInto(dir, storedOf([visits[1] ?? visitOf('x.example.org')], { optedOut: 'a.example.org' }), march);
    expect(Object.keys(await filesIn(dir)).filter((name) => name.startsWith('visits/'))).toEqual([
      'visits/2026-01.csv.gz',
      'visits/2026-01.parquet',
    ]);
  });

  test('are exported without touching a file outside the folder, even if the manifest names it', async () => {
    const dir = await newFolder();
    const outside = join(dir, '..', `${dir.split('/').at(-1)}-outside`);
    await writeFile(outside, 'kept');
    await exportInto(join(dir, 'export'), storedOf(visits), march);
    const manifest = await readManifest(join(dir, 'export'));
    const name = `../../${outside.split('/').at(-1)}`;
    manifest.files.push({ name, bytes: 4, sha256: '0'.repeat(64), schema: null });
    await writeFile(join(dir, 'export/manifest.json'), JSON.stringify(manifest));
    await exportInto(join(dir, 'export'), storedOf(visits), march);
    expect(await readFile(outside, 'utf8')).toBe('kept');
    await rm(outside);
  });
});
