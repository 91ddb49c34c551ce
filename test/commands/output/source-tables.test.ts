import { expect, test } from 'vitest';
import { runsText, sourceLine, sourcesText } from '../../../src/commands/output/source-tables.ts';
import { skippedReport } from '../../../src/service/sources/run-source.ts';
import type { SourceRunSummary, SourceSummary } from '../../../src/service/sources/source-overview.ts';

const run: SourceRunSummary = {
  ...{ id: 1, begunAt: '2026-11-01T10:00:00.000Z', endedAt: null, outcome: null, why: null },
  ...{ requests: 1, bytes: 2, lines: 3, entered: 4, known: 5, queueFull: 6, cappedByDomain: 7, optedOut: 8, merged: 9 },
  ...{ refused: 10, refusedByReason: {} },
};
const source: SourceSummary = {
  ...{ key: 'json https://x.example', type: 'json', label: 'https://x.example', status: 'on', note: null },
  ...{ everyHours: 24, firstRead: run.begunAt, lastRun: run, lastSuccess: null, nextRead: run.begunAt },
  ...{ domains: 4, visited: 0, loops: 0, onlyHere: 0, waiting: 4, lastNotAsked: null },
};

test('a run whose process died before it finished is shown as cut off, a run in progress as under way', () => {
  const why = 'the process that read the source died';
  const broken = { ...run, outcome: 'broken', why } as const;
  const text = sourcesText([{ ...source, lastRun: broken }]);
  expect(text).toMatch(/cut off/);
  expect(text).toContain(`json https://x.example: ${why}`);
  expect(text).not.toMatch(/under way|last tried/);
  expect(sourcesText([source])).toMatch(/under way/);
  expect(runsText('x', [run, broken])).toMatch(/under way[\s\S]*cut off/);
});

test('the reason of the last skip is shown below the reason of the last failed run', () => {
  const lastRun = { ...run, outcome: 'failed', why: 'it answers 500' } as const;
  const lastNotAsked = { at: '2026-11-02T11:12:13.000Z', why: 'skipped because the crawler is offline' };
  expect(sourcesText([{ ...source, lastRun, lastNotAsked }])).toContain(
    'json https://x.example: it answers 500\njson https://x.example: last tried at 2026-11-02 11:12 UTC; skipped because the crawler is offline.\n',
  );
});

test('a source that was not read is named once', () => {
  const failed = skippedReport(source);
  expect(sourceLine(failed)).toBe('Source https://x.example was not read: skipped because the crawler is offline.');
  const why = 'The source json https://x.example cannot be read: it answers 500; check it.';
  expect(sourceLine({ ...failed, why })).toBe(why);
});
