import { expect, test } from 'vitest';
import { type Domain, storedDomain } from '../../src/model/domain/domain.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { candidates, readOnce, sampleSource } from './sample-source.ts';
import { loopsVisit, recordedVisit, unreachableVisit } from './sample-visit.ts';
import { scratchPath } from './scratch.ts';

const name = (label: string) => storedDomain(`${label}.example.org`);
const [a, b, c, d, www] = [name('a'), name('b'), name('c'), name('d'), name('www')];

function pick(store: Store, domain: Domain) {
  const [picked] = store.due.pick(1, 100, [domain]);
  if (picked === undefined) throw new Error(`${domain} was not picked`);
  return picked;
}

function recordLoops(store: Store, domain: Domain, canonicalHost: Domain | null = null): void {
  const visit = loopsVisit(domain, 100);
  store.visits.record([recordedVisit(pick(store, domain), 100, { ...visit, host: { ...visit.host, canonicalHost } })]);
}

function recordAlias(store: Store, domain: Domain, to: Domain): void {
  const result = recordedVisit(pick(store, domain), 100, {
    ...unreachableVisit(domain, 100),
    verdict: 'alias',
    reason: 'redirected',
    aliasOf: to,
  });
  store.visits.record([{ ...result, after: { ...result.after, identifiedAs: 'alias', aliasOf: to } }]);
}

test('memberships contain exactly the listed instances with their sources, sorted', async () => {
  await using store = await openStore({ path: scratchPath() });
  store.domains.enter([c], 1);
  readOnce(store, 'first', candidates([b, a, d]), 2);
  readOnce(store, 'second', candidates([a]), 3);
  for (const domain of [c, b, a]) recordLoops(store, domain);
  store.visits.record([recordedVisit(pick(store, d), 100, unreachableVisit(d, 100))]);
  using reader = store.reader();
  expect([...reader.sources.ofInstances()]).toEqual([
    { domain: a, sources: ['json-first', 'json-second'] },
    { domain: b, sources: ['json-first'] },
    { domain: c, sources: [] },
  ]);
});

test('the sources of an alias count for its instance, also over several redirects, and a cycle of redirects is not followed forever', async () => {
  await using store = await openStore({ path: scratchPath() });
  readOnce(store, 'first', candidates([a, c, d]), 2);
  readOnce(store, 'second', candidates([b]), 3);
  readOnce(store, 'third', candidates([www]), 4);
  recordLoops(store, a);
  recordAlias(store, www, b);
  recordAlias(store, b, a);
  recordAlias(store, c, d);
  recordAlias(store, d, c);
  using reader = store.reader();
  expect([...reader.sources.ofInstances()]).toEqual([
    { domain: a, sources: ['json-first', 'json-second', 'json-third'] },
  ]);
});

test('the listed domain of an instance with two names has the sources of both names', async () => {
  await using store = await openStore({ path: scratchPath() });
  readOnce(store, 'first', candidates([a]), 2);
  readOnce(store, 'second', candidates([www]), 3);
  recordLoops(store, a);
  recordLoops(store, www, a);
  using reader = store.reader();
  expect([...reader.sources.ofInstances()]).toEqual([{ domain: a, sources: ['json-first', 'json-second'] }]);
});

test('sources of type `crawled` do not count, because they depend on other sources', async () => {
  await using store = await openStore({ path: scratchPath() });
  readOnce(store, 'first', candidates([a]), 2);
  readOnce(store, 'crawled', candidates([a, b]), 3, { type: 'crawled' });
  for (const domain of [a, b]) recordLoops(store, domain);
  using reader = store.reader();
  expect([...reader.sources.ofInstances()]).toEqual([
    { domain: a, sources: ['json-first'] },
    { domain: b, sources: [] },
  ]);
});

test('an inactive source does not count, and its listings count again once it is active', async () => {
  await using store = await openStore({ path: scratchPath() });
  for (const [index, list] of ['first', 'second', 'crawled'].entries()) {
    readOnce(store, list, candidates([a]), 2 + index, { type: list === 'crawled' ? 'crawled' : 'json' });
  }
  recordLoops(store, a);
  const [first, second] = [sampleSource('first').key, sampleSource('second').key];
  using reader = store.reader();
  const sources = () => [...reader.sources.ofInstances()].map(({ sources }) => sources);
  store.sources.syncActive([first, second, 'json unread']);
  expect(sources()).toEqual([['json-first', 'json-second']]);
  store.sources.syncActive([second]);
  expect(sources()).toEqual([['json-second']]);
  expect(reader.sources.everListing(a).map(({ key }) => key)).toContain(first);
  store.sources.syncActive([first, second]);
  expect(sources()).toEqual([['json-first', 'json-second']]);
  store.sources.syncActive([]);
  expect(sources()).toEqual([[]]);
});

test('syncing unchanged active sources writes nothing', async () => {
  await using store = await openStore({ path: scratchPath() });
  readOnce(store, 'first', candidates([a]), 2);
  readOnce(store, 'second', candidates([a]), 2);
  using reader = store.reader();
  const syncWrites = (keys: string[]) => {
    const before = reader.dataVersion();
    store.sources.syncActive(keys);
    return reader.dataVersion() !== before;
  };
  const { key } = sampleSource('first');
  expect([syncWrites([key]), syncWrites([key]), syncWrites([])]).toEqual([true, false, true]);
});

test('domain origins are read in the order of entry, with the first source of each, without opted-out domains', async () => {
  await using store = await openStore({ path: scratchPath() });
  store.domains.enter([c], 1);
  readOnce(store, 'first', candidates([a, b]), 2);
  readOnce(store, 'second', candidates([c, b, d]), 3);
  recordAlias(store, b, a);
  store.optOuts.forget([d], 50);
  using reader = store.reader();
  const origins = reader.domains
    .origins(0, reader.domains.lastId())
    .map((origin) => [origin.domain, origin.aliasOf, origin.discoveredBy]);
  expect(origins).toEqual([
    [c, null, sampleSource('second').key],
    [a, null, sampleSource('first').key],
    [b, a, sampleSource('first').key],
  ]);
  expect(reader.domains.origins(1, 2).map(({ domain }) => domain)).toEqual([a]);
});
