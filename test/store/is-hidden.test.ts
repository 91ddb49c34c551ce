import { expect, test } from 'vitest';
import { afterVisit } from '../../src/crawl/schedule/after-visit.ts';
import { type Domain, storedDomain } from '../../src/model/domain/domain.ts';
import type { Visit } from '../../src/model/visit.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { standardPolicy } from '../crawl/schedule/standard-policy.ts';
import { hour, loopsVisit } from './sample-visit.ts';
import { scratchPath } from './scratch.ts';

const start = Date.UTC(2026, 0, 1);
const [alias, hidden, gone, shown] = ['alias', 'hidden', 'gone', 'shown'].map((name) =>
  storedDomain(`${name}.example.org`),
) as [Domain, Domain, Domain, Domain];

function record(store: Store, visit: Visit): void {
  store.domains.requestVisit([visit.domain], visit.at);
  const [picked] = store.due.pick(1, visit.at, [visit.domain]);
  if (picked === undefined) throw new Error('nothing is due');
  store.visits.record([{ picked, visit, after: afterVisit(picked.record, visit, visit.at, 0.5, standardPolicy) }]);
}

const aliasVisit = (at: number, aliasOf: Domain): Visit =>
  loopsVisit(alias, at, {
    ...{ verdict: 'alias', reason: 'redirected', via: null, software: null, version: null, facts: null },
    aliasOf,
  });

test('domains that opted out or ask not to be listed are hidden, also in pages of changes', async () => {
  await using store = await openStore({ path: scratchPath() });
  const visit = loopsVisit(hidden, start);
  record(store, { ...visit, host: { ...visit.host, noindex: true } });
  record(store, loopsVisit(shown, start));
  store.optOuts.forget([gone], start);
  record(store, aliasVisit(start, shown));
  record(store, aliasVisit(start + hour, hidden));
  record(store, aliasVisit(start + 2 * hour, shown));

  using reader = store.reader();
  const names = [alias, hidden, gone, shown, 'never-heard-of.example.org'];
  expect(names.filter((domain) => reader.optOuts.isHidden(domain))).toEqual([hidden, gone]);
  const firstPage = { before: null, limit: 10 };
  const pages = [
    reader.changes.page({ order: 'newest', from: null, limit: 10 }).filter(({ domain }) => domain === alias),
    reader.changes.pageOf(alias, firstPage),
  ];
  for (const page of pages) {
    expect(page.filter(({ field }) => field === 'aliasOf').map(({ from, to }) => [from, to])).toEqual([
      [null, shown],
      [shown, null],
    ]);
  }
});
