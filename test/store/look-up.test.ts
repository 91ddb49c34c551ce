import { expect, test } from 'vitest';
import { storedDomain } from '../../src/model/domain/domain.ts';
import { openStore } from '../../src/store/open-store.ts';
import { loopsVisit, recordedVisit, unreachableVisit } from './sample-visit.ts';
import { scratchPath } from './scratch.ts';

const [old, home] = ['old.example.org', 'home.example.org'].map(storedDomain);
if (!old || !home) throw new Error('two domains are needed');

test('a domain is an alias of the redirect target of its last visit, and no alias after a visit without a redirect', async () => {
  await using store = await openStore({ path: scratchPath() });
  expect(store.domains.aliasOf(old)).toBeNull();
  store.domains.enter([old], 1);
  expect(store.domains.aliasOf(old)).toBeNull();

  const [picked] = store.due.pick(1, 10);
  if (picked === undefined) throw new Error('nothing is due');
  const moved = recordedVisit(
    picked,
    10,
    loopsVisit(old, 10, { verdict: 'alias', reason: 'redirected', aliasOf: home }),
  );
  store.visits.record([{ ...moved, after: { ...moved.after, aliasOf: home } }]);
  expect(store.domains.aliasOf(old)).toEqual({ to: home, at: 10 });

  store.domains.requestVisit([old], 20);
  const [again] = store.due.pick(1, 20);
  if (again === undefined) throw new Error('nothing is due');
  store.visits.record([recordedVisit(again, 20, unreachableVisit(old, 20))]);
  using reader = store.reader();
  expect(reader.domains.find(old)).toMatchObject({ aliasOf: home });
  expect(store.domains.aliasOf(old)).toBeNull();
});

test('an opt-out of a host covers all its ports and its www. name; an opt-out with a port covers only that port', async () => {
  await using store = await openStore({ path: scratchPath() });
  const names = ['example.org', 'www.example.org', 'example.org:8443', 'www.example.org:8443', 'www.example.org:80'];
  expect(names.filter((name) => store.optOuts.has(name))).toEqual([]);
  store.optOuts.forget(['example.org:8443'].map(storedDomain), 1);
  expect(names.filter((name) => store.optOuts.has(name))).toEqual(['example.org:8443', 'www.example.org:8443']);
  store.optOuts.forget(['www.example.org'].map(storedDomain), 2);
  expect([...names, 'sub.example.org', 'org', 'ww.example.org'].filter((name) => store.optOuts.has(name))).toEqual(
    names,
  );
});

test('an opt-out by another process becomes visible without reopening the store', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  await using other = await openStore({ path });
  expect([old, home].filter((name) => store.optOuts.has(name))).toEqual([]);
  other.optOuts.forget([home], 1);
  await expect.poll(() => [old, home].filter((name) => store.optOuts.has(name))).toEqual([home]);
});
