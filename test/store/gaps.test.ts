import { expect, test } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import { hour, loopsVisit, recordedVisit, sampleDomains } from './sample-visit.ts';
import { scratchPath } from './scratch.ts';

test('a time of an hour or more in which a visit was due, but none began, is a gap, also over a restart', async () => {
  const path = scratchPath();
  const domains = sampleDomains(2);
  const visitAt = async (at: number, due: number) => {
    await using store = await openStore({ path });
    store.domains.requestVisit(domains, due);
    const picked = store.due.pick(2, at, domains);
    store.visits.record(picked.map((one) => recordedVisit(one, at, loopsVisit(one.record.domain, at))));
    using reader = store.reader();
    return reader.visits.gaps();
  };
  expect(await visitAt(10 * hour, hour)).toEqual([]);
  // The next visit is due after six hours.
  expect(await visitAt(16.5 * hour, 20 * hour)).toEqual([]);
  // Due for long, but others were visited meanwhile.
  expect(await visitAt(17 * hour, 3 * hour)).toEqual([]);
  const first = { startedAt: 23 * hour, endedAt: 30 * hour };
  expect(await visitAt(30 * hour, 60 * hour)).toEqual([first]);
  expect(await visitAt(40 * hour, 29 * hour)).toEqual([first, { startedAt: 30 * hour, endedAt: 40 * hour }]);
});
