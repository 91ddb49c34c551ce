import { expect, test } from 'vitest';
import type { Visit } from '../../src/model/visit.ts';
import { openStore } from '../../src/store/open-store.ts';
import { hour, loopsVisit, recordedVisit, sampleDomains } from './sample-visit.ts';
import { scratchPath } from './scratch.ts';

const [instance, hidden, other, optedOut] = sampleDomains(4) as [never, never, never, never];

test('an opt-out and a noindex of a former or present instance are new requests until the mark after them', async () => {
  await using store = await openStore({ path: scratchPath() });
  let at = 0;
  const visit = (domain: never, changes: Partial<Visit> = {}, noindex = false) => {
    at += hour;
    store.domains.requestVisit([domain], at);
    const found = loopsVisit(domain, at, changes);
    const [picked] = store.due.pick(1, at, [domain]);
    if (picked === undefined) throw new Error('nothing was picked');
    store.visits.record([recordedVisit(picked, at, { ...found, host: { ...found.host, noindex } })]);
  };
  using reader = store.reader();
  let mark = reader.optOuts.lastRequest();
  expect(mark).toEqual({ optOuts: 0, changes: 0 });
  /** Whether there was a request since the last call. */
  const hasRequest = () => {
    const result = reader.optOuts.hasRequestSince(mark);
    mark = reader.optOuts.lastRequest();
    expect(reader.optOuts.hasRequestSince(mark)).toBe(false);
    return result;
  };
  for (const domain of [instance, hidden, optedOut]) visit(domain);
  expect(hasRequest()).toBe(false);
  visit(instance, { version: '1.0.0' });
  expect(hasRequest()).toBe(false);
  visit(other, { verdict: 'other', software: 'tube', facts: null }, true);
  expect(hasRequest()).toBe(false);
  visit(hidden, {}, true);
  expect(hasRequest()).toBe(true);
  visit(hidden, {}, false);
  expect(hasRequest()).toBe(false);
  store.optOuts.forget([optedOut], at);
  expect(hasRequest()).toBe(true);
});
