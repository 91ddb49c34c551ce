import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Domain, storedDomain } from '../../src/model/domain/domain.ts';
import { UNKNOWN_HOST } from '../../src/model/facts/host-facts.ts';
import type { Visit } from '../../src/model/visit.ts';
import { openStore } from '../../src/store/open-store.ts';
import { loopsVisit, recordedVisit } from './sample-visit.ts';
import { scratchPath, withSqlite } from './scratch.ts';

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
    store.domains.enter([storedDomain(domain)], index + 1);
  });
  const picked = store.due.pick(10, 100);
  store.visits.record(
    picked.map((picked) =>
      recordedVisit(picked, 100, loopsVisit(picked.record.domain, 100, visits[picked.record.domain])),
    ),
  );
  using reader = store.reader();
  return {
    names: [...reader.instances.listed(100)].map(({ domain }) => domain),
    count: reader.domains.counts(100).listed,
  };
}

const withCanonicalHost = (canonicalHost: Domain, more: Partial<Visit> = {}): Partial<Visit> => ({
  host: { ...UNKNOWN_HOST, canonicalHost },
  ...more,
});
const byNodeInfo: Partial<Visit> = { via: 'nodeinfo', reason: 'nodeinfo-software' };

/** A visit that read nothing but the NodeInfo document of another host. */
const borrowedFrom = (host: Domain): Partial<Visit> => {
  const { facts } = loopsVisit(a, 100);
  return withCanonicalHost(host, {
    ...byNodeInfo,
    facts: facts === null ? null : { ...facts, flags: ['nodeinfo-other-host'] },
  });
};

/** A visit whose config and NodeInfo both name another host. */
const copyOf = (host: Domain): Partial<Visit> => {
  const { facts } = loopsVisit(a, 100);
  return withCanonicalHost(host, {
    facts: facts === null ? null : { ...facts, flags: ['app-url-mismatch', 'nodeinfo-other-host', 'names-other-host'] },
  });
};

describe('the directory', () => {
  test.each<[string, Record<string, Partial<Visit>>, string[]]>([
    ['contains every instance', { [b]: {}, [a]: {} }, [a, b]],
    [
      'omits an instance that asks not to be published',
      { [a]: { host: { ...UNKNOWN_HOST, noindex: true } }, [b]: {} },
      [b],
    ],
    [
      'contains an instance and its canonical host on another registrable domain, if only one of them names the other',
      { [a]: withCanonicalHost(far), [far]: {} },
      [a, far],
    ],
    [
      'omits an instance whose config names another one on the same registrable domain',
      { [a]: withCanonicalHost(b), [b]: {} },
      [b],
    ],
    [
      'contains an instance with a NodeInfo document of its own, although its config redirects to another one',
      { [a]: withCanonicalHost(b, byNodeInfo), [b]: {} },
      [a, b],
    ],
    [
      'omits a host that is known only by the NodeInfo document of an instance, also on another registrable domain',
      { [a]: borrowedFrom(b), [c]: borrowedFrom(far), [b]: {}, [far]: byNodeInfo },
      [b, far],
    ],
    [
      'omits a host that is known only by the NodeInfo document of an instance whose config names a third host',
      { [a]: borrowedFrom(b), [b]: withCanonicalHost(far), [far]: {} },
      [b, far],
    ],
    [
      'contains a host with a config of its own, although its NodeInfo document is served by another instance',
      { [a]: withCanonicalHost(far, { facts: borrowedFrom(far).facts ?? null }), [far]: {} },
      [a, far],
    ],
    [
      'omits a copy of an instance, whose config and NodeInfo both name that instance, also on another registrable domain',
      { [a]: copyOf(far), [far]: {} },
      [far],
    ],
    [
      'contains three hosts that each name the next one in config and NodeInfo',
      { [a]: copyOf(far), [far]: copyOf(b), [b]: copyOf(a) },
      [a, b, far],
    ],
    [
      'contains a host that is known only by the NodeInfo document of a host that is not listed',
      { [a]: borrowedFrom(b), [b]: { verdict: 'other' as const } },
      [a],
    ],
    [
      'contains two hosts that each serve the NodeInfo document of the other once',
      { [b]: borrowedFrom(a), [a]: borrowedFrom(b) },
      [b],
    ],
    [
      'contains an instance whose canonical host names a third host',
      { [a]: withCanonicalHost(b), [b]: withCanonicalHost(c), [far]: {} },
      [a, b, far],
    ],
    [
      'contains an instance whose canonical host is not an instance',
      { [a]: withCanonicalHost(b), [b]: { verdict: 'other' as const } },
      [a],
    ],
    [
      'contains the longer known of two instances that name each other',
      { [b]: withCanonicalHost(a), [a]: withCanonicalHost(b) },
      [b],
    ],
    [
      'contains the one named by a config, if two instances name each other',
      { [a]: withCanonicalHost(b, byNodeInfo), [b]: withCanonicalHost(a) },
      [b],
    ],
    [
      'contains the published one of two instances that name each other',
      {
        [b]: withCanonicalHost(a, { host: { ...UNKNOWN_HOST, canonicalHost: a, noindex: true } }),
        [a]: withCanonicalHost(b),
      },
      [a],
    ],
    [
      'contains an instance that names and is named by a host that is not an instance',
      { [a]: withCanonicalHost(b), [b]: withCanonicalHost(a, { verdict: 'other' }) },
      [a],
    ],
    ['contains an instance whose canonical host is unknown', { [a]: withCanonicalHost(c) }, [a]],
  ])('%s', async (_what, visits, expected) => {
    expect(await listedAfter(visits)).toEqual({ names: expected, count: expected.length });
  });
});

// Values are repeated to make them more frequent.
const hosts = fc.constantFrom<(Domain | null)[]>(null, null, a, b, c, far);
const randomColumns = fc.record({
  state: fc.constantFrom('active', 'active', 'active', 'failing', 'new', 'dead', 'gone'),
  identifiedAs: fc.constantFrom('loops', 'loops', 'loops', 'other', null),
  via: fc.constantFrom('config', 'nodeinfo'),
  noindex: fc.constantFrom(null, 0, 0, 1),
  canonical_host: hosts,
  first_seen: fc.integer({ min: 1, max: 3 }),
});

test('the listing of a domain agrees with the directory', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  const domains = [a, b, c, far];
  store.domains.enter(domains, 1);
  store.visits.record(store.due.pick(9, 1).map((picked) => recordedVisit(picked, 1)));
  using reader = store.reader();
  withSqlite(path, (sqlite) => {
    const update = sqlite.prepare(
      `update domains set state = @state, identified_as = @identifiedAs, via = @via, noindex = @noindex,
        canonical_host = @canonical_host, first_seen = @first_seen where domain = @domain`,
    );
    fc.assert(
      fc.property(fc.array(randomColumns, { minLength: 4, maxLength: 4 }), (rows) => {
        rows.forEach((columns, index) => {
          update.run({ ...columns, domain: domains[index] });
        });
        const members = [...reader.instances.listed(1)].map(({ domain }) => domain);
        for (const domain of domains) {
          const listing = reader.domains.listingOf(domain);
          expect(listing?.listed).toBe(members.includes(domain));
          if (listing?.listed === false && listing.because === 'same-instance') expect(members).toContain(listing.as);
        }
        expect(reader.domains.counts(1).listed).toBe(members.length);
      }),
      { numRuns: 50 },
    );
  });
});

test('each unlisted domain has a reason', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  store.domains.enter([a, b], 1);
  using reader = store.reader();
  const listingNow = () => reader.domains.listingOf(a);
  expect(reader.domains.listingOf(c)).toBeNull();
  expect(listingNow()).toEqual({ listed: false, because: 'never-visited' });
  store.visits.record(store.due.pick(2, 1).map((picked) => recordedVisit(picked, 1)));
  expect(listingNow()).toEqual({ listed: true });
  // Each assignment adds to those before it, and its reason takes precedence over theirs.
  const cases: [assignment: string, listing: object][] = [
    [`canonical_host = '${b}'`, { because: 'same-instance', as: b }],
    ['noindex = 1', { because: 'noindex' }],
    [`state = 'dead'`, { because: 'dead' }],
    [`state = 'gone'`, { because: 'gone' }],
    [`state = 'new'`, { because: 'revived' }],
    [`identified_as = 'other'`, { because: 'not-loops' }],
  ];
  for (const [assignment, expected] of cases) {
    withSqlite(path, (sqlite) => sqlite.exec(`update domains set ${assignment} where domain = '${a}'`));
    expect(listingNow()).toEqual({ listed: false, ...expected });
  }
  store.optOuts.forget([a], 7);
  expect(listingNow()).toEqual({ listed: false, because: 'opted-out', since: 7 });
});

test('the listed instances that refuse visits are those whose last visit met 403 or a challenge page', async () => {
  await using store = await openStore({ path: scratchPath() });
  store.domains.enter([a, b, c, far], 1);
  store.visits.record(store.due.pick(9, 100).map((picked) => recordedVisit(picked, 100)));
  const refused: Record<string, Partial<Visit>> = {
    [a]: { verdict: 'unidentified', reason: 'access-refused' },
    [b]: { verdict: 'unidentified', reason: 'challenge-page' },
    [c]: { verdict: 'unidentified', reason: 'no-nodeinfo' },
  };
  using reader = store.reader();
  expect(reader.domains.refusing()).toEqual([]);
  store.domains.requestVisit([a, b, c, far], 200);
  store.visits.record(
    store.due.pick(9, 200).map((picked) => {
      const changes = refused[picked.record.domain];
      if (changes === undefined) return recordedVisit(picked, 200);
      const visit = loopsVisit(picked.record.domain, 200, { via: null, facts: null, ...changes });
      return recordedVisit(picked, 200, visit);
    }),
  );
  expect(reader.domains.refusing()).toEqual([a, b]);
});
