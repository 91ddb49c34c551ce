import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Domain, storedDomain } from '../../src/model/domain/domain.ts';
import { UNKNOWN_HOST } from '../../src/model/facts/host-facts.ts';
import type { Visit } from '../../src/model/visit.ts';
import { openStore } from '../../src/store/open-store.ts';
import { loopsVisit, recorded } from './sample-visit.ts';
import { meddle, scratchPath } from './scratch.ts';

const [a, b, c, far] = ['a.example.org', 'b.example.org', 'c.example.org', 'z.example.net'].map(storedDomain) as [
  Domain,
  Domain,
  Domain,
  Domain,
];

/** The listed domains after one visit to each, entered in this order. */
async function listedAfter(visits: Record<string, Partial<Visit>>): Promise<{ names: string[]; count: number }> {
  await using store = await openStore({ path: scratchPath() });
  Object.keys(visits).forEach((domain, index) => {
    store.enter([storedDomain(domain)], index + 1);
  });
  const leases = store.lease(10, 100);
  store.record(
    leases.map((lease) => recorded(lease, 100, loopsVisit(lease.record.domain, 100, visits[lease.record.domain]))),
  );
  using reader = store.reader();
  return { names: [...reader.instances(100)].map(({ domain }) => domain), count: reader.counts(100).listed };
}

const pointing = (canonicalHost: Domain, more: Partial<Visit> = {}): Partial<Visit> => ({
  host: { ...UNKNOWN_HOST, canonicalHost },
  ...more,
});
const byNodeInfo: Partial<Visit> = { via: 'nodeinfo', reason: 'nodeinfo-software' };

describe('the directory', () => {
  test.each<[string, Record<string, Partial<Visit>>, string[]]>([
    ['every instance', { [b]: {}, [a]: {} }, [a, b]],
    ['none that asks not to be published', { [a]: { host: { ...UNKNOWN_HOST, noindex: true } }, [b]: {} }, [b]],
    ['an instance that points at one elsewhere that does not point back', { [a]: pointing(far), [far]: {} }, [a, far]],
    [
      'not a second name that its config says is another of the same registrable domain',
      { [a]: pointing(b), [b]: {} },
      [b],
    ],
    ['an instance that only its NodeInfo says is another', { [a]: pointing(b, byNodeInfo), [b]: {} }, [a, b]],
    [
      'an instance that points at one that points elsewhere',
      { [a]: pointing(b), [b]: pointing(c), [far]: {} },
      [a, b, far],
    ],
    ['a second name of what is no instance itself', { [a]: pointing(b), [b]: { verdict: 'other' as const } }, [a]],
    ['of two that point at each other the one known for longer', { [b]: pointing(a), [a]: pointing(b) }, [b]],
    [
      'of two that point at each other the one that config names',
      { [a]: pointing(b, byNodeInfo), [b]: pointing(a) },
      [b],
    ],
    [
      'of two that point at each other the one that is not asked to be left out',
      { [b]: pointing(a, { host: { ...UNKNOWN_HOST, canonicalHost: a, noindex: true } }), [a]: pointing(b) },
      [a],
    ],
    ['both where the other is no instance', { [a]: pointing(b), [b]: pointing(a, { verdict: 'other' }) }, [a]],
    ['an instance that points at one nobody knows', { [a]: pointing(c) }, [a]],
  ])('holds %s', async (_what, visits, expected) => {
    expect(await listedAfter(visits)).toEqual({ names: expected, count: expected.length });
  });
});

const points = fc.constantFrom<(Domain | null)[]>(null, null, a, b, c, far);
const row = fc.record({
  state: fc.constantFrom('active', 'active', 'active', 'failing', 'new', 'dead', 'gone'),
  conclusive: fc.constantFrom('loops', 'loops', 'loops', 'other', null),
  via: fc.constantFrom('config', 'nodeinfo'),
  noindex: fc.constantFrom(null, 0, 0, 1),
  canonical_host: points,
  first_seen: fc.integer({ min: 1, max: 3 }),
});

test('the reason why a domain is listed or not agrees with the directory', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  const all = [a, b, c, far];
  store.enter(all, 1);
  store.record(store.lease(9, 1).map((lease) => recorded(lease, 1)));
  using reader = store.reader();
  meddle(path, (sqlite) => {
    const update = sqlite.prepare(
      `update domains set state = @state, conclusive = @conclusive, via = @via, noindex = @noindex,
        canonical_host = @canonical_host, first_seen = @first_seen where domain = @domain`,
    );
    fc.assert(
      fc.property(fc.array(row, { minLength: 4, maxLength: 4 }), (rows) => {
        rows.forEach((columns, index) => {
          update.run({ ...columns, domain: all[index] });
        });
        const members = [...reader.instances(1)].map(({ domain }) => domain);
        for (const domain of all) {
          const listing = reader.listingOf(domain);
          expect(listing?.listed).toBe(members.includes(domain));
          if (listing?.listed === false && listing.because === 'same-instance') expect(members).toContain(listing.as);
        }
        expect(reader.counts(1).listed).toBe(members.length);
      }),
      { numRuns: 300 },
    );
  });
});

test('each unlisted domain has a reason', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  store.enter([a, b], 1);
  using reader = store.reader();
  const because = () => reader.listingOf(a);
  expect(reader.listingOf(c)).toBeNull();
  expect(because()).toEqual({ listed: false, because: 'never-visited' });
  store.record(store.lease(2, 1).map((lease) => recorded(lease, 1)));
  expect(because()).toEqual({ listed: true });
  const cases: [string, object][] = [
    [`canonical_host = '${b}'`, { because: 'same-instance', as: b }],
    ['noindex = 1', { because: 'noindex' }],
    [`state = 'dead'`, { because: 'dead' }],
    [`state = 'gone'`, { because: 'gone' }],
    [`state = 'new'`, { because: 'revived' }],
    [`conclusive = 'other'`, { because: 'not-loops' }],
  ];
  for (const [column, expected] of cases) {
    meddle(path, (sqlite) => sqlite.exec(`update domains set ${column} where domain = '${a}'`));
    expect(because()).toEqual({ listed: false, ...expected });
  }
  store.forget([a], 7);
  expect(because()).toEqual({ listed: false, because: 'opted-out', since: 7 });
});
