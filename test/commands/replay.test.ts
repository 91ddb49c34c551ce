import { describe, expect, it } from 'vitest';
import type { ReplayOutcome } from '../../src/app/database.ts';
import { MAX_SHOWN, replayText } from '../../src/commands/replay.ts';
import type { ReplayDifference } from '../../src/crawl/replay.ts';
import { storedDomain } from '../../src/model/domain/domain.ts';

const at = Date.UTC(2026, 7, 1, 12, 30);
const difference = (index: number, changes: Partial<ReplayDifference> = {}): ReplayDifference => ({
  domain: storedDomain(`h${index}.example.org`),
  visitId: index,
  at,
  field: 'version',
  from: 'v1',
  to: '1',
  ...changes,
});
const report = (changes: Partial<ReplayOutcome> = {}): ReplayOutcome => ({
  end: 'done',
  visits: 1_000,
  changedVisits: 0,
  differenceCount: 0,
  byField: {},
  wouldAskElsewhere: { count: 0, visits: [] },
  damaged: { count: 0, visits: [] },
  revisited: 0,
  ...changes,
});
/** Counts of a replay that found differences. */
const differenceCounts = { changedVisits: 2, differenceCount: 3, byField: { version: 1, name: 2 } };

describe('the report of a replay', () => {
  it('says that nothing would change, and that the database is unchanged', () => {
    expect(replayText([], report())).toBe(
      'Read the documents of 1000 visits: nothing would change.\nThe database is unchanged.\n',
    );
  });

  it('groups differences by visit, with the values, and totals them by field', () => {
    const shown = [
      difference(1),
      difference(1, { field: 'name', from: null, to: 'Clips' }),
      difference(2, { field: 'name' }),
    ];
    const text = replayText(shown, report(differenceCounts));
    expect(text).toContain(
      'h1.example.org, visited 2026-08-01 12:30 UTC\n  version: "v1" -> "1"\n  name: unknown -> "Clips"\nh2.example.org',
    );
    expect(text).toContain('By field:\n  2  name\n  1  version\n');
    expect(text).toContain('2 visits read differently, with 3 differences.');
  });

  it('states the number of omitted differences', () => {
    const shown = Array.from({ length: MAX_SHOWN }, (_, i) => difference(i));
    expect(replayText(shown, report({ ...differenceCounts, differenceCount: 1_234 }))).toContain(
      'and 1184 more; --json lists all\n',
    );
  });

  it('shortens long values', () => {
    const long = replayText([difference(1, { field: 'description', to: 'x'.repeat(2_000) })], report(differenceCounts));
    expect(Math.max(...long.split('\n').map(({ length }) => length))).toBeLessThan(200);
  });

  it('names visits with damaged documents, and counts other visits that would now request another URL', () => {
    const visit = { domain: storedDomain('h1.example.org'), visitId: 1, at };
    const text = replayText(
      [],
      report({
        damaged: { count: 1, visits: [{ ...visit, document: 'config' }] },
        wouldAskElsewhere: { count: 60, visits: Array.from({ length: 60 }, () => visit) },
      }),
    );
    expect(text).toContain('1 visit could not be read, because a stored document is damaged:\n  h1.example.org');
    expect(text).toContain('60 visits would');
    expect(text).toContain('and 10 more');
  });

  it.each<[string, Partial<ReplayOutcome>, string]>([
    ['unchanged', differenceCounts, 'The database is unchanged.'],
    ['revisited', { ...differenceCounts, revisited: 2 }, '2 domains will be visited again.'],
    ['stopped', { end: 'stopped' }, 'Stopped early. The database is unchanged.'],
  ])('ends with the result: %s', (_what, changes, sentence) => {
    expect(replayText([], report(changes))).toContain(sentence);
  });
});
