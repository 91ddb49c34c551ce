import { expect, test } from 'vitest';
import type { Visit } from '../../src/model/visit.ts';
import { openStore } from '../../src/store/open-store.ts';
import { hour, loopsVisit, recordedVisit, sampleDomains, unreachableVisit } from './sample-visit.ts';
import { scratchPath } from './scratch.ts';

const start = Date.UTC(2026, 0, 1);
const [first, second] = sampleDomains(2);
if (first === undefined || second === undefined) throw new Error('two domains are needed');

test('an offline period ends with the first answered visit, even if its domain is forgotten later', async () => {
  await using store = await openStore({ path: scratchPath() });
  using reader = store.reader();
  const record = (visit: Visit) => {
    store.domains.requestVisit([visit.domain], visit.at);
    const [picked] = store.due.pick(1, visit.at, [visit.domain]);
    if (picked === undefined) throw new Error('nothing is due');
    store.visits.record([recordedVisit(picked, visit.at, visit)]);
  };
  expect(reader.crawler.offlineSince()).toBeNull();
  record(loopsVisit(first, start));
  store.crawler.recordOffline(start + hour);
  expect(reader.crawler.offlineSince()).toBe(start + hour);
  record(unreachableVisit(first, start + 2 * hour));
  record({ ...unreachableVisit(first, start + 3 * hour), verdict: 'declined', reason: 'forbidden-address' });
  expect(reader.crawler.offlineSince()).toBe(start + hour);
  record(loopsVisit(second, start + 4 * hour));
  expect(reader.crawler.offlineSince()).toBeNull();

  store.crawler.recordOffline(start + 5 * hour);
  record(loopsVisit(second, start + 6 * hour));
  expect(reader.crawler.offlineSince()).toBeNull();
  store.optOuts.forget([second], start + 7 * hour);
  expect(reader.crawler.offlineSince()).toBeNull();
  store.crawler.recordOffline(start + 8 * hour);
  expect(reader.crawler.offlineSince()).toBe(start + 8 * hour);
});
