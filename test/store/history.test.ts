import { expect, test } from 'vitest';
import { type Domain, storedDomain } from '../../src/model/domain/domain.ts';
import type { InstanceFacts } from '../../src/model/facts/instance-facts.ts';
import type { Visit } from '../../src/model/visit.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import type { StoreReader } from '../../src/store/store-reader.ts';
import type { StoredVisit } from '../../src/store/visits/visit-log.ts';
import { hour, loopsVisit, recordedVisit, sampleDomains, sampleFactsAt, unreachableVisit } from './sample-visit.ts';
import { scratchPath, withSqlite } from './scratch.ts';

const domain = storedDomain('loops.example.org');
const bytes = (text: string) => new TextEncoder().encode(text);
const unknownUsage = { users: null, activeMonth: null, activeHalfyear: null, posts: null, asOf: null };

/** Visits the domain at `at`, even if it is not due. */
function visit(store: Store, at: number, result: Visit, host: Domain = domain): void {
  store.domains.requestVisit([host], at);
  const [picked] = store.due.pick(1, at, [host]);
  if (picked === undefined) throw new Error(`${host} is not due`);
  expect(store.visits.record([recordedVisit(picked, at, result)])).toEqual([]);
}

function loops(at: number, facts: Partial<InstanceFacts> = {}, more: Partial<Visit> = {}): Visit {
  return loopsVisit(domain, at, { facts: { ...sampleFactsAt(at), ...facts }, ...more });
}

test('changes are stored with old value, new value, time and visit, and read newest first', async () => {
  await using store = await openStore({ path: scratchPath() });
  store.domains.enter([domain], 1);
  visit(store, 1_000, loops(1_000));
  visit(store, 2_000, loops(2_000, { name: 'Renamed', version: '1.1.0' }, { version: '1.1.0' }));
  visit(store, 3_000, unreachableVisit(domain, 3_000));
  using reader = store.reader();
  const common = { domain, cause: 'visit', why: null };
  expect([...reader.changes.of(domain)]).toEqual([
    { ...common, at: 3_000, field: 'state', from: 'active', to: 'failing', why: 'became failing', visitId: 3 },
    { ...common, at: 2_000, field: 'name', from: 'Sample Loops', to: 'Renamed', visitId: 2 },
    { ...common, at: 2_000, field: 'version', from: '1.0.0-beta.14', to: '1.1.0', visitId: 2 },
    { ...common, at: 1_000, field: 'identifiedAs', from: null, to: 'loops', visitId: 1 },
    { ...common, at: 1_000, field: 'state', from: 'new', to: 'active', why: 'became active', visitId: 1 },
  ]);
  expect([...reader.changes.of(storedDomain('other.example.org'))]).toEqual([]);
});

test('a visit that changes nothing records no change and adds no fact set', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  store.domains.enter([domain], 1);
  for (const at of [1_000, 2_000, 3_000]) visit(store, at, loops(at));
  using reader = store.reader();
  expect([...reader.changes.of(domain)].every(({ at }) => at === 1_000)).toBe(true);
  expect(withSqlite(path, (sqlite) => sqlite.prepare('select count(*) from fact_sets').pluck().get())).toBe(1);
});

test('unknown, zero and false are distinct in facts, counts and changes', async () => {
  await using store = await openStore({ path: scratchPath() });
  store.domains.enter([domain], 1);
  const usageOf = (posts: number | null, at: number) => ({
    ...unknownUsage,
    users: 0,
    posts,
    asOf: new Date(at).toISOString(),
  });
  const zero = loops(1_000, { federation: false, description: '', usage: usageOf(0, 1_000), flags: [] });
  const unknown = loops(2_000, { federation: null, description: null, usage: usageOf(null, 2_000), flags: [] });
  visit(store, 1_000, zero);
  using reader = store.reader();
  expect(reader.instances.factsOf(domain)?.facts).toMatchObject({
    federation: false,
    usage: { users: 0, activeMonth: null, posts: 0 },
  });
  visit(store, 2_000, unknown);
  expect(reader.instances.factsOf(domain)?.facts).toMatchObject({ federation: null, usage: { users: 0, posts: null } });
  expect([...reader.usage.of(domain)]).toEqual([
    { at: 2_000, users: 0, activeMonth: null, activeHalfyear: null, posts: null },
    { at: 1_000, users: 0, activeMonth: null, activeHalfyear: null, posts: 0 },
  ]);
  expect([...reader.changes.of(domain)].find(({ field }) => field === 'federation')).toMatchObject({
    from: false,
    to: null,
  });
  expect([...reader.visits.of(domain)].map(({ facts }) => facts)).toEqual([unknown.facts, zero.facts]);
});

test('a visit without counts stores no usage row, and the former counts become stale', async () => {
  await using store = await openStore({ path: scratchPath() });
  store.domains.enter([domain], 1);
  visit(store, 1_000, loops(1_000));
  const withoutCounts = loops(2_000, { usage: unknownUsage, flags: ['nodeinfo-unavailable'] });
  visit(store, 2_000, withoutCounts);
  using reader = store.reader();
  const stored = reader.instances.factsOf(domain);
  expect(stored).toMatchObject({ checkedAt: 2_000, facts: { usage: sampleFactsAt(1_000).usage } });
  expect(stored?.readAt).toMatchObject({ usage: 1_000, 'registration.mode': 2_000 });
  expect([...reader.usage.of(domain)].map(({ at }) => at)).toEqual([1_000]);
  expect([...reader.visits.of(domain)][0]?.facts).toEqual(withoutCounts.facts);
});

test('each known fact has its own time, even if the last visit read only NodeInfo', async () => {
  await using store = await openStore({ path: scratchPath() });
  store.domains.enter([domain], 1);
  visit(store, 1_000, loops(1_000));
  const nodeInfoAlone = {
    ...sampleFactsAt(2_000),
    registration: { open: true, mode: null },
    federation: null,
    gifProviderBrand: null,
  };
  visit(store, 2_000, loops(2_000, nodeInfoAlone, { via: 'nodeinfo', reason: 'nodeinfo-software' }));
  using reader = store.reader();
  const stored = reader.instances.factsOf(domain);
  expect(stored?.facts).toMatchObject({ registration: { open: true, mode: 'open' }, gifProviderBrand: 'klipy' });
  expect(stored?.readAt).toMatchObject({ 'registration.mode': 1_000, 'registration.open': 2_000, name: 2_000 });
  expect(stored?.readAt).not.toHaveProperty(['features.starterKits']);
});

test('the derived flags outdated, crowded and stale are computed when they are read', async () => {
  await using store = await openStore({ path: scratchPath() });
  const [a, b, c] = ['a.one.example', 'b.one.example', 'c.two.example'].map(storedDomain) as [Domain, Domain, Domain];
  const versions = new Map([
    [a, '1.0.0'],
    [b, '1.2.0'],
    [c, '1.2.0'],
  ]);
  store.domains.enter([a, b, c], 1);
  for (const [host, version] of versions) {
    visit(
      store,
      1_000,
      loopsVisit(host, 1_000, { version, facts: { ...sampleFactsAt(1_000), version, flags: [] } }),
      host,
    );
  }
  const flagsAt = (at: number) => {
    using reader = store.reader({ flags: { crowdedFrom: 2, staleDays: 7 } });
    return Object.fromEntries([...reader.instances.listed(at)].map(({ domain: host, facts }) => [host, facts.flags]));
  };
  expect(flagsAt(2_000)).toEqual({ [a]: ['crowded-domain', 'outdated'], [b]: ['crowded-domain'], [c]: [] });
  expect(flagsAt(2_000 + 8 * 24 * hour)[c]).toEqual(['stale-facts']);
  {
    using reader = store.reader({ flags: { crowdedFrom: 2, staleDays: 7 } });
    expect([a, b, c].map((host) => reader.instances.factsOf(host, 2_000)?.facts.flags)).toEqual(
      Object.values(flagsAt(2_000)),
    );
  }
  using reader = store.reader({ flags: { crowdedFrom: 3, staleDays: 30 } });
  expect(reader.crawler.newestRelease()).toEqual({ version: '1.2.0', from: 'crawl' });
  expect(reader.instances.factsOf(a)?.facts.flags).toEqual([]);
  expect(reader.instances.factsOf(a, 2_000)?.facts.flags).toEqual(['outdated']);
  expect(reader.instances.factsOf(a, 2_000, '1.0.0')?.facts.flags).toEqual([]);
  store.crawler.recordRelease('1.3.0', 5_000);
  store.crawler.recordRelease('1.0.0', 6_000);
  expect(reader.crawler.newestRelease()).toEqual({ version: '1.0.0', from: 'release' });
  expect(reader.instances.factsOf(a, 2_000)?.facts.flags).toEqual([]);
});

test('a version of only one registrable domain does not count as the newest, and an empty database has no newest version', async () => {
  await using store = await openStore({ path: scratchPath() });
  using reader = store.reader();
  expect(reader.crawler.newestRelease()).toBeNull();
  store.domains.enter([domain], 1);
  visit(store, 1_000, loops(1_000, { version: '99.0.0' }, { version: '99.0.0' }));
  expect(reader.crawler.newestRelease()).toBeNull();
});

test('visit ids ascend and are not reused after a visit is deleted', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  using reader = store.reader();
  expect(reader.visits.lastId()).toBe(0);
  store.domains.enter([domain], 1);
  visit(store, 1_000, loops(1_000));
  expect(reader.visits.lastId()).toBe(1);
  withSqlite(path, (sqlite) => sqlite.exec('delete from visits'));
  expect(reader.visits.lastId()).toBe(1);
  visit(store, 2_000, loops(2_000));
  expect(reader.visits.lastId()).toBe(2);
});

test('deleted steps are null, which differs from an empty list', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  store.domains.enter([domain], 1);
  visit(store, 1_000, { ...loops(1_000), steps: [] });
  visit(store, 2_000, loops(2_000));
  withSqlite(path, (sqlite) => sqlite.exec('delete from visit_steps where visit_id = 2'));
  using reader = store.reader();
  expect([...reader.visits.of(domain)].map(({ steps }) => steps)).toEqual([null, []]);
});

function visitsWithDocuments(reader: StoreReader): StoredVisit[] {
  const visits: StoredVisit[] = [];
  for (
    let next = reader.visits.nextDomainWithDocuments(0);
    next !== null;
    next = reader.visits.nextDomainWithDocuments(next.id)
  )
    visits.push(...reader.visits.withDocuments(next));
  return visits;
}

test('the last documents of a domain can be read even after compaction removed them from their visit', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  store.domains.enter([domain], 1);
  visit(store, 1_000, loops(1_000, {}, { documents: { config: bytes('1') } }));
  visit(store, 2_000, loops(2_000, {}, { documents: { config: bytes('2'), nodeinfo: bytes('n') } }));
  visit(store, 3_000, unreachableVisit(domain, 3_000));
  const documented = () => {
    using reader = store.reader();
    return visitsWithDocuments(reader).map(({ id, documents }) => ({ id, documents }));
  };
  const second = { id: 2, documents: { config: 2, nodeinfo: 3 } };
  expect(documented()).toEqual([{ id: 1, documents: { config: 1 } }, second]);
  withSqlite(path, (sqlite) =>
    sqlite.exec('update visits set config_document = null, discovery_document = null, nodeinfo_document = null'),
  );
  expect(documented()).toEqual([second]);
  using reader = store.reader();
  expect([...reader.visits.of(domain)].map(({ documents }) => documents)).toEqual([{}, second.documents, {}]);
});

test('domains with documents are read in the order of entry, without opted-out ones', async () => {
  await using store = await openStore({ path: scratchPath() });
  const others = sampleDomains(3);
  const [undocumented, out] = others;
  if (undocumented === undefined || out === undefined) throw new Error('three domains are needed');
  store.domains.enter([undocumented, domain, ...others], 1);
  for (const [index, each] of [domain, ...others.slice(1)].entries()) {
    const [picked] = store.due.pick(1, 1_000, [each]);
    if (picked === undefined) throw new Error('nothing is due');
    store.visits.record([
      recordedVisit(picked, 1_000, loopsVisit(each, 1_000, { documents: { config: bytes(String(index)) } })),
    ]);
  }
  store.optOuts.forget([out], 2_000);
  using reader = store.reader();
  expect(visitsWithDocuments(reader).map((visit) => visit.domain)).toEqual([domain, others[2]]);
});

test('uptime counts two failed visits as down and ignores inconclusive ones', async () => {
  await using store = await openStore({ path: scratchPath() });
  store.domains.enter([domain], 1);
  const start = 100 * 24 * hour;
  // A web app in place of a Loops server counts as a failed visit; a forbidden address is no evidence.
  const outcomes: Partial<Visit>[] = [
    {},
    { verdict: 'unidentified', reason: 'web-app', via: null, facts: null },
    { verdict: 'unreachable', reason: 'connect-refused', via: null, facts: null },
    { verdict: 'declined', reason: 'forbidden-address', via: null, facts: null },
  ];
  outcomes.forEach((outcome, index) => {
    const at = start + index * 6 * hour;
    visit(store, at, loopsVisit(domain, at, outcome));
  });
  using reader = store.reader();
  const at = start + 24 * hour;
  expect(reader.uptimes.of(domain, at).day).toEqual({ share: 1 / 6, coverage: 0.75 });
  expect(reader.uptimes.of(domain, start + 6 * hour - 1).day.share).toBeNull();
  expect([...reader.instances.listed(at)][0]?.uptime).toEqual(reader.uptimes.of(domain, at));
  expect(reader.uptimes.of(storedDomain('nobody.example.org'), at).day).toEqual({ share: null, coverage: 0 });
});
