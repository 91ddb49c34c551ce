import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportAll } from '../../src/export/export-all.ts';
import { queryDuckDb } from './duckdb.ts';
import { emptySource, START } from './row-of.ts';

const text = readFileSync(join(import.meta.dirname, '../../docs/data.md'), 'utf8');
const recipes = text.split('\n## ').find((section) => section.startsWith('Recipes'));
const codeOf = (language: string) =>
  [...(recipes ?? '').matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(([, code = '']) => code);

/** Four servers: one dies after 2 days, one after 4, one is found on the fourth day, one lives. */
const CHANGES = [
  ...['a', 'b', 'c'].flatMap((name) => [
    `${name}.example,2026-01-01T10:00:00.000Z,state,new,active,,visit`,
    `${name}.example,2026-01-01T10:00:00.000Z,identifiedAs,,loops,,visit`,
  ]),
  'a.example,2026-01-03T09:00:00.000Z,state,failing,dead,,visit',
  'd.example,2026-01-04T09:00:00.000Z,identifiedAs,other,loops,,visit',
  'b.example,2026-01-05T09:00:00.000Z,state,active,gone,,visit',
  'x.example,2026-01-07T09:00:00.000Z,identifiedAs,,other,,visit',
];
const STATS = [
  '2026-01-01,hosting.network,Big,6,8,10',
  '2026-01-01,hosting.network,Small,2,8,10',
  '2026-01-01,limits.maxVideoSizeMB,median,40,5,10',
  '2026-01-01,limits.maxVideoSizeMB,total,40,5,10',
  '2026-01-01,version,1.2.0,3,4,10',
  '2026-01-01,version,,1,4,10',
];

const MEMBERSHIPS = ['a,first', 'b,first', 'b,second', 'c,second'].map((row) =>
  row.replace(',', '.example,').concat(',2026-01-01T10:00:00.000Z,2026-01-02T10:00:00.000Z'),
);

let dir: string;
const headers: Record<string, string> = {};
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'loopscout-recipes-'));
  await exportAll({ source: emptySource, dir, now: () => START, toolVersion: '1' });
  for (const [name, lines] of Object.entries({
    'changes.csv': CHANGES,
    'memberships.csv': MEMBERSHIPS,
    'stats.csv': STATS,
  })) {
    [headers[name] = ''] = readFileSync(join(dir, name), 'utf8').split('\r\n');
    writeFileSync(join(dir, name), [headers[name], ...lines, ''].join('\r\n'));
  }
});
afterAll(() => rmSync(dir, { recursive: true }));

test('the recipes of docs/data.md in DuckDB give shares with coverage, survival, limits, concentration and overlap, in any time zone', async () => {
  await queryDuckDb("set timezone = 'Pacific/Kiritimati'");
  await queryDuckDb(/```sql\n(set .*)\n/.exec(text)?.[1] ?? 'none');
  const results = await Promise.all(codeOf('sql').map((sql) => queryDuckDb(sql.replaceAll('data/export', dir))));
  expect(results).toEqual([
    [
      { date: '2026-01-01', version: '1.2.0', share: 0.75, coverage: 0.4 },
      { date: '2026-01-01', version: 'other', share: 0.25, coverage: 0.4 },
    ],
    [
      { days: '2', atRisk: '4', ends: '1', surviving: 0.75 },
      { days: '3', atRisk: '3', ends: '0', surviving: 0.75 },
      { days: '4', atRisk: '2', ends: '1', surviving: 0.375 },
      { days: '6', atRisk: '1', ends: '0', surviving: 0.375 },
    ],
    [{ date: '2026-01-01', measure: 'limits.maxVideoSizeMB', key: 'median', value: '40', reporting: '5' }],
    [{ date: '2026-01-01', herfindahl: 0.625, largest: 0.75, coverage: 0.8 }],
    [
      { source: 'first', alsoIn: 'first', domains: '2' },
      { source: 'first', alsoIn: 'second', domains: '1' },
      { source: 'second', alsoIn: 'second', domains: '2' },
    ],
  ]);
});

test('the recipes in Python and R read the same files as those in DuckDB, and only columns that these have', () => {
  const filesOf = (code: string) => [...new Set(code.match(/data\/export\/[\w.]+/g))];
  const queries = codeOf('sql');
  for (const [language, column] of [
    ['python', /(?<!\/)\b(?:stats|changes|rows|networks)\.(?<column>\w+)/g],
    ['r', /\b(?!days\b)(?<column>\w+) (?:==|%in%) ["c]|\brows\$(?<column>\w+)/g],
  ] as const) {
    const codes = codeOf(language);
    expect(codes.map(filesOf), language).toEqual(queries.map(filesOf));
    for (const code of codes) {
      const known = headers[filesOf(code)[0]?.split('/').at(-1) ?? '']?.split(',') ?? [];
      const used = [...code.matchAll(column)].map(({ groups }) => groups?.column ?? '');
      expect(used.length, code).toBeGreaterThan(0);
      expect(
        used.filter((name) => !known.includes(name)),
        code,
      ).toEqual([]);
    }
  }
});
