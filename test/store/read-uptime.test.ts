import { expect, test } from 'vitest';
import { type Domain, storedDomain } from '../../src/model/domain/domain.ts';
import { openStore } from '../../src/store/open-store.ts';
import { planOf } from './plan-of.ts';
import { hour, loopsVisit, recordedVisit, unreachableVisit } from './sample-visit.ts';
import { scratchPath } from './scratch.ts';

const domain = storedDomain('loops.example.org');
const declinedVisit = (name: Domain, at: number) => ({ ...unreachableVisit(name, at), verdict: 'declined' as const });

test('uptime is read in order from the index of visits alone', async () => {
  const plan = await planOf(({ reader }) => reader.uptimes.of(domain, 1));
  expect(plan).toEqual([
    'SEARCH visits USING COVERING INDEX visits_of_domain (domain_id=? AND at>? AND at<?)',
    'SCALAR SUBQUERY 1',
    'SEARCH visits USING COVERING INDEX visits_of_domain (domain_id=? AND at<?)',
  ]);
});

test('days of failures count as down', async () => {
  await using store = await openStore({ path: scratchPath() });
  const start = 100 * 24 * hour;
  store.domains.enter([domain], start);
  for (let at = start, waitMs = 6 * hour; at < start + 31 * 24 * hour; ) {
    const isUp = at < start + 24 * 24 * hour;
    const [picked] = store.due.pick(1, at);
    if (picked === undefined) throw new Error('not due');
    const visit = isUp ? loopsVisit(domain, at) : unreachableVisit(domain, at);
    const result = recordedVisit(picked, at, visit);
    const nextVisit = at + (isUp ? 6 * hour : waitMs);
    store.visits.record([{ ...result, after: { ...result.after, nextVisit, wasEverLoops: true } }]);
    at = nextVisit;
  }
  using reader = store.reader();
  const { day, week, month } = reader.uptimes.of(domain, start + 31 * 24 * hour);
  expect([day, week]).toEqual([
    { share: 0, coverage: 1 },
    { share: 0, coverage: 1 },
  ]);
  expect(month.coverage).toBe(1);
  // Down since the middle of the last success and the first failure.
  expect(month.share).toBeCloseTo((23 - 1 / 8) / 30, 10);
});

test('a failure at the beginning of the period counts when an earlier one confirms it, with a declined visit between them', async () => {
  await using store = await openStore({ path: scratchPath() });
  const now = 100 * 24 * hour;
  store.domains.enter([domain], 0);
  const visits = [loopsVisit, unreachableVisit, declinedVisit, unreachableVisit, loopsVisit];
  for (const [index, visitAt] of visits.entries()) {
    const at = now - 30 * 24 * hour + (index - 3) * 6 * hour;
    const [picked] = store.due.pick(1, at);
    if (picked === undefined) throw new Error('not due');
    const result = recordedVisit(picked, at, visitAt(domain, at));
    store.visits.record([{ ...result, after: { ...result.after, nextVisit: at + 6 * hour, wasEverLoops: true } }]);
  }
  using reader = store.reader();
  expect(reader.uptimes.of(domain, now).month.coverage).toBeCloseTo(6 / 720, 10);
});
