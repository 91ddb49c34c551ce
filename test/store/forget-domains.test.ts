import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { type Domain, storedDomain } from '../../src/model/domain/domain.ts';
import type { Visit } from '../../src/model/visit.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { candidates, readOnce } from './sample-source.ts';
import { hour, loopsVisit, recordedVisit, sampleDomains, sampleFacts } from './sample-visit.ts';
import { scratchPath, withSqlite } from './scratch.ts';

const forgotten = storedDomain('forgotten-videos.example.org');
const similar = storedDomain('unforgotten-videos.example.org');
const start = Date.UTC(2026, 0, 1);

/** How often the files of a database contain a domain, not counting names with `un` before it, such as {@link similar}. */
function occurrences(path: string, domain: Domain): number {
  const pattern = new RegExp(`(?<!un)${domain.replaceAll('.', '\\.')}`, 'g');
  return readdirSync(dirname(path))
    .map((name) => readFileSync(join(dirname(path), name), 'latin1').match(pattern)?.length ?? 0)
    .reduce((total, count) => total + count, 0);
}

function record(store: Store, domain: Domain, visited: Visit): void {
  store.domains.requestVisit([domain], visited.at);
  const [picked] = store.due.pick(1, visited.at, [domain]);
  if (picked === undefined) throw new Error(`${domain} was not due`);
  store.visits.record([recordedVisit(picked, visited.at, visited)]);
}

/** Visits a domain whose text fields all contain its name. */
function visit(store: Store, domain: Domain, at: number): void {
  const document = new TextEncoder().encode(`{"of":"${domain}","at":${at}}`);
  const facts = { ...sampleFacts, name: `Home of ${domain}`, description: `at ${at} ${domain}`, version: `1.0.${at}` };
  const robots = { readAt: at, body: new TextEncoder().encode(`# robots of ${domain}`) };
  const documents = { config: document, discovery: document };
  record(store, domain, loopsVisit(domain, at, { facts, documents, robots, version: facts.version }));
}

/** Visits a domain that redirects to another. */
function redirect(store: Store, domain: Domain, to: Domain, at: number): void {
  store.domains.requestVisit([domain], at);
  const [picked] = store.due.pick(1, at, [domain]);
  if (picked === undefined) throw new Error(`${domain} was not due`);
  const url = `https://${domain}/api/v1/config`;
  const note = `redirects to https://${to}/api/v1/config`;
  const steps = [{ probe: 'config', url, status: 301, ms: 1, bytes: 0, failure: null, note } as const];
  const ended = { verdict: 'alias', reason: 'redirected', aliasOf: to, facts: null, via: null, steps } as const;
  const result = recordedVisit(picked, at, loopsVisit(domain, at, ended));
  const host = { ...result.after.host, canonicalHost: to };
  store.visits.record([{ ...result, after: { ...result.after, identifiedAs: 'alias', aliasOf: to, host } }]);
}

test('after forgetting, the files contain the domain only in the table of opt-outs and its index', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  const others = sampleDomains(40);
  store.domains.enter([...others, forgotten, similar], start);
  for (let round = 0; round < 30; round += 1) {
    for (const domain of [...others.slice(0, 10), forgotten, similar]) visit(store, domain, start + round * 6 * hour);
  }
  others.slice(10, 20).forEach((domain, index) => {
    redirect(store, domain, forgotten, start + index);
  });
  others.slice(20, 30).forEach((domain, index) => {
    redirect(store, domain, similar, start + index);
    redirect(store, domain, forgotten, start + 100 + index);
    redirect(store, domain, similar, start + 200 + index);
  });
  readOnce(store, `https://${forgotten}/peers`, candidates([forgotten, similar, ...others], 'loops'), start, {
    end: { outcome: 'partial', why: `https://${forgotten}/peers broke off`, etag: `"${forgotten}"` },
  });
  expect(occurrences(path, forgotten)).toBeGreaterThan(100);
  // Ids are in the order of entry.
  const id = others.length + 1;
  expect(store.visits.cachedRobots(id)).not.toBeNull();

  const at = start + 400 * hour;
  expect(store.optOuts.forget([forgotten], at)).toEqual([]);
  expect(occurrences(path, forgotten)).toBe(2);

  using reader = store.reader();
  expect([reader.domains.find(forgotten), reader.optOuts.count()]).toEqual([null, 1]);
  expect(reader.domains.listingOf(forgotten)).toEqual({ listed: false, because: 'opted-out', since: at });
  expect([...reader.visits.of(forgotten), ...reader.changes.of(forgotten), ...reader.usage.of(forgotten)]).toEqual([]);
  expect([reader.instances.factsOf(forgotten), store.visits.cachedRobots(id)]).toEqual([null, null]);
  expect(withSqlite(path, (sqlite) => sqlite.pragma('integrity_check', { simple: true }))).toBe('ok');
  expect(withSqlite(path, (sqlite) => sqlite.pragma('foreign_key_check'))).toEqual([]);
});

test('forgetting a domain leaves the data of other domains unchanged, even with similar names', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  const [other, alias] = sampleDomains(2);
  if (!other || !alias) throw new Error('two domains are needed');
  store.domains.enter([other, alias, forgotten, similar], start);
  for (const domain of [other, forgotten, similar]) visit(store, domain, start);
  redirect(store, alias, similar, start);
  using reader = store.reader();
  const readOthers = () =>
    [other, alias, similar].map((domain) => [
      reader.domains.find(domain),
      [...reader.visits.of(domain)],
      [...reader.changes.of(domain)],
      reader.instances.factsOf(domain),
    ]);
  const before = readOthers();
  store.optOuts.forget([forgotten], start + 1);
  expect(readOthers()).toEqual(before);
});

test('a document that two domains share is deleted only with the second of them', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  store.domains.enter([forgotten, similar], start);
  const documents = { config: new TextEncoder().encode('{"shared":true}') };
  const due = store.due.pick(2, start);
  store.visits.record(
    due.map((picked) => recordedVisit(picked, start, loopsVisit(picked.record.domain, start, { documents }))),
  );
  const count = () => withSqlite(path, (sqlite) => sqlite.prepare('select count(*) from documents').pluck().get());
  store.optOuts.forget([forgotten], start);
  expect(count()).toBe(1);
  store.optOuts.forget([similar], start);
  expect(count()).toBe(0);
});

test('an unknown domain can be opted out, and cannot then be entered, requested or reactivated', async () => {
  await using store = await openStore({ path: scratchPath() });
  expect(store.optOuts.forget([forgotten, forgotten], start)).toEqual([]);
  expect(store.domains.enter([forgotten], start + 1)).toBe(0);
  expect(store.domains.requestVisit([forgotten], start + 1)).toEqual({ optedOut: [forgotten] });
  expect(store.domains.reactivate([forgotten], start + 1, (before) => ({ ...before, state: 'new' }))).toEqual({
    optedOut: [forgotten],
  });
  expect(store.due.pick(9, start + hour)).toEqual([]);
  expect(store.due.pick(9, start + hour, [forgotten])).toEqual([]);
});

test('forgetting a domain again reports it as already opted out, and keeps the time of the first opt-out', async () => {
  await using store = await openStore({ path: scratchPath() });
  store.optOuts.forget([forgotten], start);
  expect(store.optOuts.forget([forgotten, similar], start + 2)).toEqual([forgotten]);
  using reader = store.reader();
  expect(reader.domains.listingOf(forgotten)).toEqual({ listed: false, because: 'opted-out', since: start });
});

test('the visits of others that lead to a forgotten domain lose their references, steps and documents; their texts stay', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  const [alias, leaning, other] = sampleDomains(3) as [Domain, Domain, Domain];
  store.domains.enter([alias, leaning, other], start);
  for (const domain of [alias, leaning, other]) visit(store, domain, start);
  redirect(store, alias, similar, start + hour);
  redirect(store, alias, forgotten, start + 2 * hour);
  const href = new TextEncoder().encode(`{"links":[{"href":"https:\\/\\/${forgotten}\\/nodeinfo"}]}`);
  const facts = { ...sampleFacts, description: `moved away from ${forgotten}` };
  record(store, leaning, loopsVisit(leaning, start + hour, { documents: { discovery: href }, facts }));
  store.optOuts.forget([forgotten], start + 3 * hour);

  using reader = store.reader();
  expect(reader.domains.find(alias)).toMatchObject({ verdict: 'alias', aliasOf: null, host: { canonicalHost: null } });
  expect([...reader.visits.of(alias)].map(({ aliasOf, steps }) => [aliasOf, steps !== null])).toEqual([
    [null, false],
    [similar, true],
    [null, true],
  ]);
  const changes = [...reader.changes.of(alias)].filter(({ field }) => field === 'aliasOf');
  expect(changes.map(({ from, to }) => [from, to])).toEqual([
    [similar, null],
    [null, similar],
  ]);
  expect(
    [...reader.visits.of(leaning)].map(({ documents, steps }) => [Object.keys(documents), steps !== null]),
  ).toEqual([
    [[], false],
    [['config', 'discovery'], true],
  ]);
  expect(reader.instances.factsOf(leaning)?.facts.description).toBe(facts.description);
  const robots = [1, 2, 3].map((id) => store.visits.cachedRobots(id) !== null);
  expect(robots).toEqual([false, false, true]);
});

test.each([
  ['small', ''],
  ['large, hence compressed,', ' '.repeat(2_000)],
])(
  'a %s discovery document that leads to a forgotten domain is deleted, even without steps and a canonical host',
  async (_size, filler) => {
    const path = scratchPath();
    await using store = await openStore({ path });
    const [leaning, other] = sampleDomains(2) as [Domain, Domain];
    const documentOf = (host: Domain) =>
      new TextEncoder().encode(`{"links":[{"href":"https:\\/\\/${host}\\/nodeinfo"}],"filler":"${filler}"}`);
    store.domains.enter([leaning, other], start);
    const discovered = (host: Domain) => ({ documents: { discovery: documentOf(host) } });
    record(store, leaning, loopsVisit(leaning, start, discovered(forgotten)));
    record(store, leaning, loopsVisit(leaning, start + hour, discovered(forgotten)));
    record(store, other, loopsVisit(other, start, discovered(similar)));
    withSqlite(path, (sqlite) => sqlite.exec('delete from visit_steps'));
    store.optOuts.forget([forgotten], start + 2 * hour);
    using reader = store.reader();
    const documentsOf = (domain: Domain) =>
      [...reader.visits.of(domain)].map(({ documents }) => Object.keys(documents));
    expect([documentsOf(leaning), documentsOf(other)]).toEqual([[[], []], [['discovery']]]);
    const count = withSqlite(path, (sqlite) => sqlite.prepare('select count(*) from documents').pluck().get());
    expect(count).toBe(1);
  },
);

test('an instance that is known only from the NodeInfo of a forgotten domain begins anew', async () => {
  await using store = await openStore({ path: scratchPath() });
  const [borrowing, naming] = sampleDomains(2) as [Domain, Domain];
  store.domains.enter([borrowing, naming], start);
  const host = { ...loopsVisit(borrowing, start).host, canonicalHost: forgotten };
  const facts = { ...sampleFacts, name: forgotten, flags: ['nodeinfo-other-host' as const] };
  for (const [domain, visited] of [
    [borrowing, { via: 'nodeinfo', facts }],
    [naming, {}],
  ] as const) {
    store.domains.requestVisit([domain], start);
    const picked = store.due.pick(1, start, [domain])[0] ?? expect.unreachable();
    const result = recordedVisit(picked, start, loopsVisit(domain, start, { ...visited, host }));
    store.visits.record([{ ...result, after: { ...result.after, via: result.visit.via, host } }]);
  }
  store.optOuts.forget([forgotten], start + 1);
  using reader = store.reader();
  expect(reader.domains.find(borrowing)).toMatchObject({ state: 'new', verdict: null, firstSeen: start + 1 });
  expect([reader.instances.factsOf(borrowing), [...reader.visits.of(borrowing)]]).toEqual([null, []]);
  expect(reader.domains.find(naming)).toMatchObject({ verdict: 'loops', host: { canonicalHost: null } });
});

test('a visit that leads to a domain forgotten meanwhile is not recorded, and is repeated', async () => {
  await using store = await openStore({ path: scratchPath() });
  const [domain] = sampleDomains(1) as [Domain];
  store.domains.enter([domain], start);
  redirect(store, domain, forgotten, start);
  store.domains.requestVisit([domain], start + hour);
  const leadsAway = (note: string): Partial<Visit> => ({
    steps: loopsVisit(domain, start).steps.map((step) => ({ ...step, note })),
  });
  const pick = () => store.due.pick(1, start + hour)[0] ?? expect.unreachable();
  const stale = pick();
  store.optOuts.forget([forgotten], start + hour);
  const results = [
    // The record of the pick still names its former alias.
    () => recordedVisit(stale, start + hour),
    ...[
      leadsAway(`the certificate is for ${forgotten}`),
      { verdict: 'alias', aliasOf: forgotten } as const,
      { host: { ...loopsVisit(domain, start).host, canonicalHost: forgotten } },
      { documents: { discovery: new TextEncoder().encode(`{"href":"https://${forgotten}/"}`) } },
    ].map((visited) => () => recordedVisit(pick(), start + hour, loopsVisit(domain, start + hour, visited))),
  ];
  for (const result of results) expect(store.visits.record([result()])).toHaveLength(1);
  const other = recordedVisit(
    pick(),
    start + hour,
    loopsVisit(domain, start + hour, leadsAway(`redirects to ${similar}`)),
  );
  expect(store.visits.record([other])).toEqual([]);
});

test('a visit in progress when its domain is forgotten is not recorded', async () => {
  const path = scratchPath();
  await using storeOfCrawl = await openStore({ path });
  await using store = await openStore({ path });
  storeOfCrawl.domains.enter([forgotten], start);
  const [picked] = storeOfCrawl.due.pick(1, start);
  if (!picked) throw new Error('nothing was picked');
  store.optOuts.forget([forgotten], start + 1);
  const late = recordedVisit(picked, start + 2);
  expect(storeOfCrawl.visits.record([late])).toEqual([late]);
  expect(occurrences(path, forgotten)).toBe(2);
});
