import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { type Domain, storedDomain } from '../../src/model/domain/domain.ts';
import { REDACTED_NAME } from '../../src/model/opt-outs/opt-out-names.ts';
import { runInline } from '../../src/service/tasks/tasks.ts';
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

/** Visits a domain whose text fields all contain its name. */
function visit(store: Store, domain: Domain, at: number): void {
  store.requestVisit([domain], at);
  const [lease] = store.lease(1, at, { only: [domain] });
  if (lease === undefined) throw new Error(`${domain} was not leased`);
  const document = new TextEncoder().encode(`{"of":"${domain}","at":${at}}`);
  const facts = { ...sampleFacts, name: `Home of ${domain}`, description: `at ${at} ${domain}`, version: `1.0.${at}` };
  const robots = { readAt: at, body: new TextEncoder().encode(`# robots of ${domain}`) };
  const documents = { config: document, discovery: document };
  const ended = loopsVisit(domain, at, { facts, documents, robots, version: facts.version });
  store.record([recordedVisit(lease, at, ended)]);
}

/** Visits a domain that redirects to another. */
function redirect(store: Store, domain: Domain, to: Domain, at: number): void {
  store.requestVisit([domain], at);
  const [lease] = store.lease(1, at, { only: [domain] });
  if (lease === undefined) throw new Error(`${domain} was not leased`);
  const url = `https://${domain}/api/v1/config`;
  const note = `redirects to https://${to}/api/v1/config`;
  const steps = [{ probe: 'config', url, status: 301, ms: 1, bytes: 0, failure: null, note } as const];
  const ended = { verdict: 'alias', reason: 'redirected', aliasOf: to, facts: null, via: null, steps } as const;
  const result = recordedVisit(lease, at, loopsVisit(domain, at, ended));
  const host = { ...result.after.host, canonicalHost: to };
  store.record([{ ...result, after: { ...result.after, identifiedAs: 'alias', aliasOf: to, host } }]);
}

test('after forgetting, the files contain the domain only in the table of opt-outs and its index', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  const others = sampleDomains(40);
  store.enter([...others, forgotten, similar], start);
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

  const at = start + 400 * hour;
  expect(store.forget([forgotten], at)).toEqual({ already: [], isScrubbed: true });
  expect(occurrences(path, forgotten)).toBe(2);

  using reader = store.reader();
  expect([reader.find(forgotten), reader.optOutCount()]).toEqual([null, 1]);
  expect(reader.listingOf(forgotten)).toEqual({ listed: false, because: 'opted-out', since: at });
  expect([...reader.visitsOf(forgotten), ...reader.changesOf(forgotten), ...reader.usageOf(forgotten)]).toEqual([]);
  expect([reader.factsOf(forgotten), store.cachedRobots(forgotten)]).toEqual([null, null]);
  expect(withSqlite(path, (sqlite) => sqlite.pragma('integrity_check', { simple: true }))).toBe('ok');
  expect(withSqlite(path, (sqlite) => sqlite.pragma('foreign_key_check'))).toEqual([]);
});

test('forgetting a domain leaves the data of other domains unchanged, even with similar names', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  const [other, alias] = sampleDomains(2);
  if (!other || !alias) throw new Error('two domains are needed');
  store.enter([other, alias, forgotten, similar], start);
  for (const domain of [other, forgotten, similar]) visit(store, domain, start);
  redirect(store, alias, similar, start);
  using reader = store.reader();
  const readOthers = () =>
    [other, alias, similar].map((domain) => [
      reader.find(domain),
      [...reader.visitsOf(domain)],
      [...reader.changesOf(domain)],
      reader.factsOf(domain),
    ]);
  const before = readOthers();
  store.forget([forgotten], start + 1);
  expect(readOthers()).toEqual(before);
});

test('a document that two domains share is deleted only with the second of them', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  store.enter([forgotten, similar], start);
  const documents = { config: new TextEncoder().encode('{"shared":true}') };
  const leased = store.lease(2, start);
  store.record(
    leased.map((lease) => recordedVisit(lease, start, loopsVisit(lease.record.domain, start, { documents }))),
  );
  const count = () => withSqlite(path, (sqlite) => sqlite.prepare('select count(*) from documents').pluck().get());
  store.forget([forgotten], start);
  expect(count()).toBe(1);
  store.forget([similar], start);
  expect(count()).toBe(0);
});

test('an unknown domain can be opted out, and cannot then be entered, requested or reactivated', async () => {
  await using store = await openStore({ path: scratchPath() });
  expect(store.forget([forgotten, forgotten], start)).toEqual({ already: [], isScrubbed: true });
  expect(store.enter([forgotten], start + 1)).toBe(0);
  expect(store.requestVisit([forgotten], start + 1)).toEqual({ optedOut: [forgotten] });
  expect(store.reactivate([forgotten], start + 1, (before) => ({ ...before, state: 'new' }))).toEqual({
    optedOut: [forgotten],
    leased: [],
  });
  expect(store.lease(9, start + hour)).toEqual([]);
  expect(store.lease(9, start + hour, { only: [forgotten] })).toEqual([]);
});

/** Like {@link occurrences}, after a checkpoint of the write-ahead log. */
function occurrencesAtRest(path: string, domain: Domain): number {
  withSqlite(path, (sqlite) => sqlite.pragma('wal_checkpoint(truncate)'));
  return occurrences(path, domain);
}

test('forgetting a domain again reports it as already opted out, and keeps the time of the first opt-out', async () => {
  await using store = await openStore({ path: scratchPath() });
  store.forget([forgotten], start);
  expect(store.forget([forgotten, similar], start + 2)).toEqual({ already: [forgotten], isScrubbed: true });
  using reader = store.reader();
  expect(reader.listingOf(forgotten)).toEqual({ listed: false, because: 'opted-out', since: start });
});

test('visits of other hosts are recorded without the name of a forgotten domain', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  const [alias, other, home] = sampleDomains(3);
  if (!alias || !other || !home) throw new Error('three domains are needed');
  store.enter([alias, other, home], start);
  for (const domain of [alias, other]) visit(store, domain, start);
  store.forget([forgotten], start + 1);
  expect(occurrencesAtRest(path, forgotten)).toBe(2);
  for (let round = 1; round <= 5; round += 1) {
    redirect(store, alias, forgotten, start + round * hour);
    redirect(store, other, round % 2 === 0 ? forgotten : home, start + round * hour);
    expect(occurrencesAtRest(path, forgotten)).toBe(2);
  }
  using reader = store.reader();
  expect(reader.find(alias)).toMatchObject({
    verdict: 'alias',
    aliasOf: REDACTED_NAME,
    host: { canonicalHost: REDACTED_NAME },
  });
  expect([...reader.visitsOf(alias)][0]).toMatchObject({
    verdict: 'alias',
    aliasOf: REDACTED_NAME,
    steps: [{ note: `redirects to https://${REDACTED_NAME}/api/v1/config` }],
  });
  expect(reader.find(other)).toMatchObject({ aliasOf: home, host: { canonicalHost: home } });
  expect([...reader.visitsOf(other)][0]).toMatchObject({ aliasOf: home, steps: [{ note: expect.anything() }] });
  const changes = [...reader.changesOf(other)]
    .filter(({ field }) => field === 'aliasOf')
    .map(({ from, to }) => [from, to]);
  expect(changes.toReversed()).toEqual([
    [null, home],
    [home, REDACTED_NAME],
    [REDACTED_NAME, home],
    [home, REDACTED_NAME],
    [REDACTED_NAME, home],
  ]);
});

test('steps that name a forgotten domain are recorded without the name; other steps are unchanged', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  const [domain] = sampleDomains(1);
  if (!domain) throw new Error('a domain is needed');
  store.enter([domain], start);
  store.forget([forgotten], start);
  const record = (named: string, at: number) => {
    store.requestVisit([domain], at);
    const [lease] = store.lease(1, at, { only: [domain] });
    if (lease === undefined) throw new Error('nothing was leased');
    const note = `Host: ${domain}. is not in the cert's altnames: DNS:${named}`;
    const visited = loopsVisit(domain, at);
    store.record([recordedVisit(lease, at, { ...visited, steps: visited.steps.map((step) => ({ ...step, note })) })]);
  };
  record(`${forgotten}`, start + 1);
  record(`${similar}`, start + 2);
  using reader = store.reader();
  const noteOf = (named: string) => `Host: ${domain}. is not in the cert's altnames: DNS:${named}`;
  expect([...reader.visitsOf(domain)].map(({ steps }) => steps?.[0]?.note)).toEqual([
    noteOf(similar),
    noteOf(REDACTED_NAME),
  ]);
  expect(occurrencesAtRest(path, forgotten)).toBe(2);
});

test.each([
  ['in upper case', (name: string) => `written to ${name.toUpperCase()}`],
  ['in an encoded query', (name: string) => `redirects to /login?next=https%3a%2f%2f${name}%2f`],
])('recorded steps lose the name of a forgotten domain %s, but not a similar name', async (_how, noteOf) => {
  await using store = await openStore({ path: scratchPath() });
  const [domain] = sampleDomains(1);
  if (!domain) throw new Error('a domain is needed');
  store.enter([domain], start);
  for (const [named, at] of [
    [forgotten, start + 1],
    [similar, start + 2],
  ] as const) {
    store.requestVisit([domain], at);
    const [lease] = store.lease(1, at, { only: [domain] });
    if (lease === undefined) throw new Error('nothing was leased');
    const visited = loopsVisit(domain, at);
    const steps = visited.steps.map((step) => ({ ...step, note: noteOf(named) }));
    store.record([recordedVisit(lease, at, { ...visited, steps })]);
  }
  store.forget([forgotten], start + 3);
  using reader = store.reader();
  const notes = [...reader.visitsOf(domain)].map(({ steps }) => steps?.[0]?.note);
  expect(notes).toEqual([noteOf(similar), noteOf(forgotten).replace(new RegExp(forgotten, 'i'), REDACTED_NAME)]);
});

test('a visit in progress to a former alias of a forgotten domain does not store the forgotten name again', async () => {
  const path = scratchPath();
  await using storeOfCrawl = await openStore({ path });
  await using store = await openStore({ path });
  const [alias] = sampleDomains(1);
  if (!alias) throw new Error('a domain is needed');
  storeOfCrawl.enter([alias], start);
  redirect(storeOfCrawl, alias, forgotten, start);
  storeOfCrawl.requestVisit([alias], start + hour);
  const [lease] = storeOfCrawl.lease(1, start + hour);
  if (!lease) throw new Error('nothing was leased');
  expect(lease.record.aliasOf).toBe(forgotten);
  store.forget([forgotten], start + hour);
  const result = recordedVisit(lease, start + hour);
  storeOfCrawl.record([{ ...result, after: { ...result.after, aliasOf: null } }]);
  expect(occurrencesAtRest(path, forgotten)).toBe(2);
});

test('a visit in progress when its domain is forgotten is not recorded', async () => {
  const path = scratchPath();
  await using storeOfCrawl = await openStore({ path });
  await using store = await openStore({ path });
  storeOfCrawl.enter([forgotten], start);
  const [lease] = storeOfCrawl.lease(1, start);
  if (!lease) throw new Error('nothing was leased');
  store.forget([forgotten], start + 1);
  expect(storeOfCrawl.holds(lease)).toBe(false);
  const late = recordedVisit(lease, start + 2);
  expect(storeOfCrawl.record([late])).toEqual({ recorded: 0, lost: [late] });
  expect(occurrences(path, forgotten)).toBe(2);
});

test('forgetting reports that it did not rewrite a file in use', async () => {
  const path = scratchPath();
  await using store = await openStore({ path, busyTimeoutMs: 1 });
  store.enter([forgotten, similar], start);
  using reader = store.reader({ snapshot: true });
  reader.find(forgotten);
  expect(store.forget([forgotten], start)).toEqual({ already: [], isScrubbed: false });
  using after = store.reader();
  expect(after.listingOf(forgotten)).toMatchObject({ because: 'opted-out' });
});

test('a file in use that was not rewritten is rewritten after the next compaction', async () => {
  const path = scratchPath();
  await using store = await openStore({ path, busyTimeoutMs: 1 });
  {
    using reader = store.reader({ snapshot: true });
    reader.find(forgotten);
    expect(store.forget([forgotten], start)).toMatchObject({ isScrubbed: false });
  }
  withSqlite(path, (sqlite) => sqlite.exec('create table filler as select zeroblob(100000); drop table filler'));
  const freePages = () => withSqlite(path, (sqlite) => sqlite.pragma('freelist_count', { simple: true }));
  expect(freePages()).toBeGreaterThan(0);
  const retention = { stepsDays: 1, documentsDays: 1, visitsDays: 1, usageDays: 1, unlistedDays: 1 };
  await runInline('compact', { database: path, at: start, retention }, new AbortController().signal);
  expect(freePages()).toBe(0);
});
