import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { CrawlTally } from '../../src/app/crawl-and-export.ts';
import { tallyText } from '../../src/commands/crawl.ts';
import { loopsVisit, sampleDomains, unreachableVisit } from '../store/sample-visit.ts';

test('a verdict is followed by its reasons, then the software and the versions', () => {
  const tally = new CrawlTally();
  const [first, second, third] = sampleDomains(3) as [never, never, never];
  for (const domain of [first, second]) tally.add(loopsVisit(domain, 0));
  tally.add(unreachableVisit(third, 0));
  expect(tallyText(tally.result(), Number.POSITIVE_INFINITY)).toMatch(
    /^loops +2 {2}\S+ \(2\)\nunreachable +1 {2}\S+ \(1\)\nSoftware +loops \(2\)\nLoops versions +\S+ \(2\)$/,
  );
});

test('software names that differ only in a space look different', () => {
  const tally = new CrawlTally();
  const names = ['loops', 'loops '];
  sampleDomains(2).forEach((domain, index) => {
    tally.add(loopsVisit(domain, 0, { software: names[index] ?? null }));
  });
  expect(tallyText(tally.result(), 80)).toContain('Software           loops (1), "loops␣" (1)');
});

test.each([40, 60, 80, 140])('the counts fit %i columns, and rare names are summed up', (columns) => {
  const names = ['サーバーの一覧とそのソフトウェアのとても長い名前のサーバー', '🎬'.repeat(40), ...'abcdefghijklmn'];
  const software = names.map((name, index) => ({ name, count: 100 - index }));
  const text = tallyText({ visited: 1_500, byVerdict: [], byReason: [], software, versions: software }, columns);
  expect(text.split('\n').filter((line) => stringWidth(line) > columns)).toEqual([]);
  // The last 4 of 16 names have the counts 88, 87, 86 and 85.
  expect(text.replaceAll(/\s+/g, ' ')).toContain('4 more (346)');
});

test.each([
  [12, /, l \(1\)$/],
  [13, /, m \(1\)$/],
  [14, /, 2 more \(2\)$/],
])('of %i names, the first 12 are shown, and also the 13th if it is the last', (count, end) => {
  const software = [...'abcdefghijklmn'].slice(0, count).map((name) => ({ name, count: 1 }));
  const tally = { visited: count, byVerdict: [], byReason: [], software, versions: [] };
  expect(tallyText(tally, Number.POSITIVE_INFINITY)).toMatch(end);
});
