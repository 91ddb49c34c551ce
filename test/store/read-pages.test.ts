import { expect, test } from 'vitest';
import { storedDomain } from '../../src/model/domain/domain.ts';
import { openStore } from '../../src/store/open-store.ts';
import { planOf } from './plan-of.ts';
import { scratchPath } from './scratch.ts';

const domain = storedDomain('a.example.org');

test.each(['newest', 'oldest'] as const)(
  'a page of changes, %s first, is read from its start without a sort',
  async (order) => {
    expect(await planOf(({ reader }) => reader.changes.page({ order, from: null, limit: 1 }))).toEqual([
      expect.stringMatching(/^SEARCH changes USING INTEGER PRIMARY KEY \(rowid[<>]\?\)$/),
      'SEARCH domains USING INTEGER PRIMARY KEY (rowid=?)',
    ]);
  },
);

test('a page of the changes of a domain is read from its index in order', async () => {
  const plan = await planOf(({ reader }) => reader.changes.pageOf(domain, { before: null, limit: 1 }));
  expect(plan[0]).toMatch(/^SEARCH changes USING INDEX changes_of_domain \(domain_id=\? AND at<\?\)$/);
  expect(plan.join()).not.toContain('TEMP B-TREE');
});

test('a page of the counts of a domain is read from its key in order', async () => {
  const plan = await planOf(({ reader }) => reader.usage.pageOf(domain, { before: null, limit: 1 }));
  expect(plan[0]).toMatch(/^SEARCH usage USING PRIMARY KEY \(domain_id=\? AND \(at,visit_id\)<\(\?,\?\)\)$/);
  expect(plan.join()).not.toContain('TEMP B-TREE');
});

test('a range of domains is counted without reading other domains', async () => {
  const plan = await planOf(({ reader }) => reader.domains.groups(0, 1));
  expect(plan[0]).toBe('SEARCH domains USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)');
});

test('domains that begin with a text are read from the index of names in order', async () => {
  const plan = await planOf(({ reader }) => reader.domains.startingWith('a', 1));
  expect(plan[0]).toMatch(/^SEARCH domains USING INDEX \S+ \(domain>\? AND domain<\?\)$/);
  expect(plan.join()).not.toContain('TEMP B-TREE');
});

test('the data version changes if and only if another connection commits', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  using reader = store.reader();
  const before = reader.dataVersion();
  reader.visits.lastId();
  expect(reader.dataVersion()).toBe(before);
  store.crawler.recordRelease('1.0.0', 1);
  expect(reader.dataVersion()).not.toBe(before);
});
