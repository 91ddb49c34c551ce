import { expect, test } from 'vitest';
import { storedDomain } from '../../src/domain/stored-domain.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Revision, Store } from '../../src/store/store.ts';
import { hour, loopsVisit, recorded, sampleFactsAt, unreachableVisit } from './sample-visit.ts';
import { scratchPath } from './scratch.ts';

const domain = storedDomain('loops.example.org');
const read = (version: string, at: number): Revision['visit'] => {
  const { verdict, reason, via, software, aliasOf } = loopsVisit(domain, at);
  return { verdict, reason, via, software, version, aliasOf, facts: { ...sampleFactsAt(at), version } };
};

/** Two visits: the first found Loops, the second nothing. */
async function visitedStore(): Promise<Store> {
  const store = await openStore({ path: scratchPath() });
  store.enter([domain], 1);
  for (const at of [1_000, 7 * hour]) {
    const [lease] = store.lease(1, at);
    if (lease === undefined) throw new Error('nothing is due');
    store.record([recorded(lease, at, at === 1_000 ? loopsVisit(domain, at) : unreachableVisit(domain, at))]);
  }
  return store;
}

test('a revision changes the visit, what is kept of the domain and its facts, as changes by replay', async () => {
  await using store = await visitedStore();
  using reader = store.reader();
  const before = reader.find(domain);
  if (before === null) throw new Error('the domain is known');
  const visit = {
    ...read('2.0.0', 1_000),
    facts: { ...sampleFactsAt(1_000), version: '2.0.0', name: 'New', flags: [] },
  };
  const revision = { visitId: 1, visit, after: { ...before, version: '2.0.0' } };
  expect(store.revise([revision], 9 * hour)).toEqual({ revised: 1, left: 0 });
  expect([...reader.visitsOf(domain)][1]).toMatchObject({ ...visit, at: 1_000 });
  expect(reader.find(domain)).toEqual(revision.after);
  expect(reader.factsOf(domain)).toMatchObject({ facts: visit.facts, checkedAt: 1_000 });
  const replayed = [...reader.changesOf(domain)].filter(({ cause }) => cause === 'replay');
  expect(replayed.map(({ at, field, from, to, visitId }) => ({ at, field, from, to, visitId }))).toEqual([
    { at: 9 * hour, field: 'flags', from: ['app-url-mismatch'], to: [], visitId: 1 },
    { at: 9 * hour, field: 'name', from: 'Sample Loops', to: 'New', visitId: 1 },
    { at: 9 * hour, field: 'version', from: '1.0.0-beta.14', to: '2.0.0', visitId: 1 },
  ]);
});

test('a revision of a visit that nothing rests on changes that visit alone, its counts included', async () => {
  await using store = await visitedStore();
  using reader = store.reader();
  const before = { record: reader.find(domain), facts: reader.factsOf(domain), changes: [...reader.changesOf(domain)] };
  const other = { ...read('1', 1_000), verdict: 'other', software: 'pixelfed', facts: null } as const;
  expect(store.revise([{ visitId: 1, visit: other, after: null }], 9 * hour)).toEqual({ revised: 1, left: 0 });
  expect([...reader.visitsOf(domain)][1]).toMatchObject({ verdict: 'other', software: 'pixelfed', facts: null });
  expect([...reader.usageOf(domain)]).toEqual([]);
  expect({
    record: reader.find(domain),
    facts: reader.factsOf(domain),
    changes: [...reader.changesOf(domain)],
  }).toEqual(before);
});

test('a revision is left whole while its domain is visited, when it was visited since, and when the visit is gone', async () => {
  await using store = await visitedStore();
  using reader = store.reader();
  const record = reader.find(domain);
  if (record === null) throw new Error('the domain is known');
  const revision = { visitId: 1, visit: read('2.0.0', 1_000), after: { ...record, version: '2.0.0' } };
  const left = { revised: 0, left: 1 };
  expect(store.revise([{ ...revision, visitId: 99 }], 9 * hour)).toEqual(left);
  const [lease] = store.lease(1, 99 * hour);
  if (lease === undefined) throw new Error('nothing is due');
  expect(store.revise([revision], 99 * hour)).toEqual(left);
  store.record([recorded(lease, 99 * hour)]);
  expect(store.revise([revision], 100 * hour)).toEqual(left);
  expect([...reader.visitsOf(domain)].at(-1)).toMatchObject({ version: '1.0.0-beta.14' });
  expect(reader.find(domain)).toMatchObject({ version: '1.0.0-beta.14' });
  expect(store.revise([], 1)).toEqual({ revised: 0, left: 0 });
});
