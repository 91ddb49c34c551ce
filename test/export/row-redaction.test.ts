import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exportAll } from '../../src/export/export-all.ts';
import { storedDomain } from '../../src/model/domain/domain.ts';
import { UNKNOWN_HOST } from '../../src/model/facts/host-facts.ts';
import { monthOf } from '../../src/model/month.ts';
import type { ExportSource } from '../../src/views/export-source.ts';
import { filesIn, newFolder } from './export-folder.ts';
import { readCsv, readParquet } from './read-back.ts';
import { domainRecordOf } from './record-of.ts';
import { changeOf, emptySource, START, visitOf } from './row-of.ts';

const hidden = storedDomain('hidden.example.org');
const shown = storedDomain('shown.example.org');
const later = START + 100 * 86_400_000;

const source = (redacted: readonly string[], overrides: Partial<ExportSource> = {}): ExportSource => ({
  ...emptySource,
  mustBeRedacted: (domain) => redacted.includes(domain),
  domains: () => [
    domainRecordOf('a.example.org', { verdict: 'alias', reason: 'redirected', aliasOf: hidden }),
    domainRecordOf('b.example.org', { verdict: 'alias', reason: 'redirected', aliasOf: shown }),
    // Without noindex, the domain itself would be published under its name.
    domainRecordOf(hidden, { host: { ...UNKNOWN_HOST, noindex: redacted.includes(hidden) } }),
  ],
  changes: () => [
    changeOf('a.example.org', { field: 'aliasOf', from: shown, to: hidden }),
    changeOf('a.example.org', { field: 'pointsTo', from: hidden, to: null }),
    // The name of an instance holds no domain and stays.
    changeOf('a.example.org', { field: 'name', from: 'A', to: 'B' }),
  ],
  visitMonths: () => [monthOf(START)],
  visits: () => [
    visitOf('a.example.org', { id: 1, aliasOf: hidden }),
    visitOf('b.example.org', { id: 2, aliasOf: shown }),
  ],
  ...overrides,
});
const exportInto = (dir: string, rowSource: ExportSource, months: 'all' | 'rewrite-unfinished' = 'all') =>
  exportAll({ source: rowSource, dir, now: () => later, toolVersion: '1.0.0', months });
const rows = (dir: string, name: string) =>
  readFileSync(join(dir, name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('a domain that must not be published', () => {
  test('is named in no file, even if others redirect or point to it', async () => {
    const dir = await newFolder();
    await exportInto(dir, source([hidden]));
    expect(rows(dir, 'domains.ndjson').map(({ domain, aliasOf }) => [domain, aliasOf])).toEqual([
      ['a.example.org', null],
      ['b.example.org', shown],
    ]);
    expect(rows(dir, 'changes.ndjson').map(({ before, after }) => [before, after])).toEqual([
      [shown, null],
      [null, null],
      ['A', 'B'],
    ]);
    for (const visits of [
      await readCsv(dir, 'visits/2026-01.csv.gz'),
      await readParquet(dir, 'visits/2026-01.parquet'),
    ]) {
      expect(visits.map(({ aliasOf }) => aliasOf)).toEqual([null, shown]);
    }
    for (const name of Object.keys(await filesIn(dir)).filter((file) => !/\.gz$/.test(file)))
      expect(readFileSync(join(dir, name), 'latin1'), name).not.toContain(hidden);
  });

  test.each([
    ['are stored', 0],
    ['were deleted', later],
  ])('is removed from a complete month whose visits %s', async (_name, visitsKeptSince) => {
    const dir = await newFolder();
    await exportInto(dir, source([]));
    expect((await readCsv(dir, 'visits/2026-01.csv.gz')).map(({ aliasOf }) => aliasOf)).toEqual([hidden, shown]);
    await exportInto(dir, source([hidden], { visitsKeptSince }), 'rewrite-unfinished');
    for (const visits of [
      await readCsv(dir, 'visits/2026-01.csv.gz'),
      await readParquet(dir, 'visits/2026-01.parquet'),
    ]) {
      expect(visits.map(({ domain, aliasOf }) => [domain, aliasOf])).toEqual([
        ['a.example.org', null],
        ['b.example.org', shown],
      ]);
    }
  });
});
