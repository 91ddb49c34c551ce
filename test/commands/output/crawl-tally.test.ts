import { expect, test } from 'vitest';
import { crawlTables, createTally } from '../../../src/commands/output/crawl-tally.ts';
import { loopsVisit, sampleDomains } from '../../store/sample-visit.ts';

test('software names that differ only in a space have rows that differ', () => {
  const tally = createTally();
  const names = ['loops', 'loops '];
  sampleDomains(2).forEach((domain, index) => {
    tally.add(loopsVisit(domain, 0, { software: names[index] ?? null }));
  });
  const text = crawlTables(tally.result());
  expect(text).toMatch(/│ loops +│/);
  expect(text).toMatch(/│ "loops␣" +│/);
});
