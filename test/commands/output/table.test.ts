import stringWidth from 'string-width';
import { describe, expect, it, test } from 'vitest';
import { runsText, sourcesText } from '../../../src/commands/output/source-tables.ts';
import { tableText, tableWidth } from '../../../src/commands/output/table.ts';
import type { SourceRunSummary, SourceSummary } from '../../../src/service/sources/source-overview.ts';

const at = '2026-11-01T10:00:00.000Z';
const run: SourceRunSummary = {
  ...{
    id: 1,
    begunAt: at,
    endedAt: at,
    outcome: 'complete',
    why: null,
    requests: 1_000,
    bytes: 12_345_678,
    lines: 54_321,
  },
  ...{
    entered: 1_234,
    known: 5,
    queueFull: 6,
    cappedByDomain: 7,
    optedOut: 8,
    merged: 9,
    refused: 10,
    refusedByReason: {},
  },
};
const source = (key: string): SourceSummary => ({
  ...{ key, type: 'json', label: key, status: 'off', note: null, everyHours: 24, firstRead: at, lastRun: run },
  ...{ lastSuccess: null, nextRead: at, domains: 54_321, visited: 4_321, loops: 321, onlyHere: 21, waiting: 4 },
  lastNotAsked: null,
});
const KEYS = [
  'file /home/somebody/directories/loops/seeds-of-all-servers-that-were-ever-known.txt',
  'json https://動画.例え/リスト/サーバーの一覧とそのソフトウェア.json',
  'json https://🎬🎥📼.example/👩‍👩‍👧‍👦/list.json',
  'fedidb',
];

const TABLES: [name: string, render: (maxWidth?: number) => string][] = [
  ['sources', (maxWidth) => sourcesText(KEYS.map(source), maxWidth)],
  ['sources KEY', (maxWidth) => runsText('fedidb', [run, { ...run, outcome: null }], maxWidth)],
];
const frames = (text: string) => text.split('\n').filter((line) => /^[┌├└│]/.test(line));

describe.each(TABLES)('the table of %s', (_name, render) => {
  it.each([40, 60, 80, 140])('fits %i columns, and its lines have the same width', (columns) => {
    const lines = render(columns).split('\n');
    expect(lines.filter((line) => stringWidth(line) > columns)).toEqual([]);
    expect(new Set(frames(render(columns)).map((line) => stringWidth(line))).size).toBe(1);
  });

  it('is complete when there is no limit', () => {
    expect(render()).not.toMatch(/…|Not shown/);
  });
});

test('at 80 columns, the table of sources keeps the results and the Loops columns, and names the dropped columns', () => {
  const text = sourcesText([source('fediverse-observer')], 80);
  const [, head = ''] = text.split('\n');
  expect(head).toMatch(/^│ source +│ last read \(UTC\) +│ result +│ Loops │ only here │$/);
  expect(text).toContain('Not shown for lack of space: added, domains, visited, waiting.');
  expect(sourcesText([source('fediverse-observer')], 40)).toMatch(/│ source +│ Loops │ only here │/);
});

test('numbers are aligned to the right', () => {
  const text = tableText(
    [
      { title: 'name', cell: ({ name }) => name },
      { title: 'count', cell: ({ count }) => count, kind: 'number' },
    ],
    [{ name: 'a', count: 7 }],
  );
  expect(text).toContain('│ name │ count │\n├──────┼───────┤\n│ a    │     7 │');
});

test('only a terminal limits the width', () => {
  const stdout = process.stdout;
  expect(tableWidth(Object.assign(Object.create(stdout), { isTTY: true, columns: 63 }))).toBe(63);
  expect(tableWidth(Object.assign(Object.create(stdout), { isTTY: true, columns: 0 }))).toBe(80);
  expect(tableWidth(Object.assign(Object.create(stdout), { isTTY: false, columns: 63 }))).toBe(
    Number.POSITIVE_INFINITY,
  );
});
