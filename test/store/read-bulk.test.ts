import { describe, expect, test } from 'vitest';
import { storedDomain } from '../../src/model/domain/domain.ts';
import { UNKNOWN_HOST } from '../../src/model/facts/host-facts.ts';
import type { Month } from '../../src/model/month.ts';
import type { Visit } from '../../src/model/visit.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { planOf } from './plan-of.ts';
import { hour, loopsVisit, recordedVisit, sampleFactsAt, unreachableVisit } from './sample-visit.ts';
import { scratchPath } from './scratch.ts';

describe('the plan of bulk queries:', () => {
  test.each<[string, Parameters<typeof planOf>[0], string[]]>([
    [
      'published changes are read by scanning the table in order, and the visit of a change to null by its id',
      ({ reader }) => reader.changes.published(),
      [
        'SCAN changes',
        'SEARCH domains USING INTEGER PRIMARY KEY (rowid=?)',
        'CORRELATED SCALAR SUBQUERY 1',
        'SEARCH visits USING INTEGER PRIMARY KEY (rowid=?)',
        'SEARCH fact_sets USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN',
      ],
    ],
    [
      'the visits of a month are read from a range of the table',
      ({ reader }) => reader.visits.ofMonth('1970-01'),
      [
        'SEARCH visits USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)',
        'SEARCH domains USING INTEGER PRIMARY KEY (rowid=?)',
        'SEARCH fact_sets USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN',
      ],
    ],
    [
      'the domains that were ever Loops are read in the order of their index',
      ({ reader }) => reader.instances.histories(),
      [
        'SCAN domains USING INDEX domains_ever_loops',
        'SEARCH facts USING INTEGER PRIMARY KEY (rowid=?)',
        'SEARCH fact_sets USING INTEGER PRIMARY KEY (rowid=?)',
      ],
    ],
    [
      'the changes of a domain are read from their index in order',
      ({ reader }) => reader.changes.ofInstance(1),
      ['SEARCH changes USING INDEX changes_of_domain (domain_id=?)'],
    ],
    [
      'the counts of a domain are read from their key in order',
      ({ reader }) => reader.usage.ofInstance(1),
      ['SEARCH usage USING PRIMARY KEY (domain_id=?)'],
    ],
    [
      'the counts of a month are read in the order of the index of domains and the key of counts',
      ({ reader }) => reader.usage.ofMonth('1970-01'),
      [
        'SCAN domains USING INDEX domains_ever_loops',
        'SEARCH facts USING INTEGER PRIMARY KEY (rowid=?)',
        'SEARCH usage USING PRIMARY KEY (domain_id=? AND at>? AND at<?)',
        'CORRELATED SCALAR SUBQUERY 1',
        'SEARCH visits USING INTEGER PRIMARY KEY (rowid=?)',
        'SEARCH fact_sets USING INTEGER PRIMARY KEY (rowid=?)',
      ],
    ],
    [
      'the first and last counts of a domain are read from its range',
      ({ reader }) => reader.usage.months(),
      ['SEARCH usage USING PRIMARY KEY (domain_id=?)'],
    ],
  ])('%s', async (_what, read, plan) => {
    expect(await planOf(read)).toEqual(plan);
  });
});

const [a, b, c] = [storedDomain('a.example.org'), storedDomain('b.example.org'), storedDomain('c.example.org')];

function visit(store: Store, at: number, visits: readonly Visit[]): void {
  store.domains.requestVisit(
    visits.map(({ domain }) => domain),
    at,
  );
  const due = store.due.pick(10, at);
  store.visits.record(
    visits.map((result) => {
      const picked = due.find(({ record }) => record.domain === result.domain);
      if (picked === undefined) throw new Error(`${result.domain} is not due`);
      return recordedVisit(picked, at, result);
    }),
  );
}

const day = 24 * hour;
const newYear = Date.UTC(2026, 0, 1);

describe('a reader', () => {
  test('returns the visits that began in a month, in the order of recording', async () => {
    await using store = await openStore({ path: scratchPath() });
    const times = [newYear - 40 * day, newYear - 1, newYear, newYear + 30 * day];
    for (const at of times) visit(store, at, [loopsVisit(b, at), unreachableVisit(a, at)]);
    using reader = store.reader();
    expect(reader.visits.months()).toEqual(['2025-11', '2025-12', '2026-01']);
    const read = (month: Month) => [...reader.visits.ofMonth(month)];
    expect(read('2025-12').map(({ id, domain, at }) => [id, domain, at])).toEqual([
      [3, b, newYear - 1],
      [4, a, newYear - 1],
    ]);
    expect(read('2026-01').map(({ at }) => at)).toEqual([newYear, newYear, newYear + 30 * day, newYear + 30 * day]);
    expect(read('2026-02')).toEqual([]);
    expect(read('2025-11')[0]).toEqual({
      id: 1,
      domain: b,
      at: newYear - 40 * day,
      durationMs: 210,
      verdict: 'loops',
      reason: 'config-software',
      via: 'config',
      software: 'loops',
      version: '1.0.0-beta.14',
      aliasOf: null,
      state: 'active',
      flags: ['app-url-mismatch'],
    });
    expect(read('2025-11')[1]).toMatchObject({ verdict: 'unreachable', state: 'failing', version: null, flags: null });
  });

  test('returns the last counts of each day, sorted by domain', async () => {
    await using store = await openStore({ path: scratchPath() });
    const counted = (domain: typeof a, at: number, users: number) =>
      loopsVisit(domain, at, { facts: { ...sampleFactsAt(at), usage: { ...sampleFactsAt(at).usage, users } } });
    for (const [at, users] of [
      [newYear - hour, 1],
      [newYear, 2],
      [newYear + 6 * hour, 3],
      [newYear + day, 4],
    ] as const) {
      visit(store, at, [counted(b, at, users), counted(a, at, users * 10)]);
    }
    using reader = store.reader();
    expect(reader.usage.months()).toEqual(['2025-12', '2026-01']);
    expect([...reader.usage.ofMonth('2026-01')].map(({ domain, at, users }) => [domain, at, users])).toEqual([
      [a, newYear + 6 * hour, 30],
      [a, newYear + day, 40],
      [b, newYear + 6 * hour, 3],
      [b, newYear + day, 4],
    ]);
    expect([...reader.instances.histories()].map(({ usage }) => [...usage()].map(({ users }) => users))).toEqual([
      [10, 30, 40],
      [1, 3, 4],
    ]);
  });

  test('omits domains that opted out or ask not to be listed', async () => {
    await using store = await openStore({ path: scratchPath() });
    const at = newYear;
    visit(store, at, [loopsVisit(a, at), loopsVisit(b, at), loopsVisit(c, at)]);
    const later = at + day;
    const noindex = { host: { ...UNKNOWN_HOST, noindex: true } };
    visit(store, later, [loopsVisit(b, later, noindex), loopsVisit(c, later, { version: '2.0.0' })]);
    store.optOuts.forget([a], later);
    using reader = store.reader();
    const domains = [
      ...[...reader.changes.published()].map(({ domain }) => domain),
      ...[...reader.instances.histories()].map(({ record }) => record.domain),
      ...[...reader.visits.ofMonth('2026-01')].map(({ domain }) => domain),
      ...[...reader.usage.ofMonth('2026-01')].map(({ domain }) => domain),
    ];
    expect(new Set(domains)).toEqual(new Set([c]));
    expect(
      [...reader.changes.published()].map(({ field, from, to, cause }) => [field, from, to, cause]),
    ).toContainEqual(['version', '1.0.0-beta.14', '2.0.0', 'visit']);
  });

  test('can abandon an iteration early and run two at once', async () => {
    await using store = await openStore({ path: scratchPath() });
    visit(store, newYear, [loopsVisit(a, newYear), loopsVisit(b, newYear)]);
    using reader = store.reader({ snapshot: true });
    for (const _ of reader.visits.ofMonth('2026-01')) break;
    for (const outer of reader.visits.ofMonth('2026-01')) {
      expect([...reader.visits.ofMonth('2026-01')]).toHaveLength(2);
      expect([...reader.changes.published()].length).toBeGreaterThan(0);
      expect(outer.at).toBe(newYear);
    }
  });
});
