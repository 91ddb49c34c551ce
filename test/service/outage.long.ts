import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { eventsOf } from '../../src/directory/instance/events.ts';
import { instanceEntryOf } from '../../src/directory/instance-entry-of.ts';
import { createConnectivity } from '../../src/http/connectivity.ts';
import type { Identifier } from '../../src/identify/identifier.ts';
import { createVisitBuilder } from '../../src/identify/visit-builder.ts';
import { createLogger } from '../../src/logger.ts';
import { explainFrom } from '../../src/service/explain-domain.ts';
import { runInline } from '../../src/service/tasks/tasks.ts';
import { listen } from '../../src/service/web-server.ts';
import { parseDomains } from '../../src/settings/parse-domains.ts';
import { english } from '../../src/site/words/english.ts';
import type { StoreReader } from '../../src/store/store-reader.ts';
import { createTestNetwork } from '../create-test-network.ts';
import { loopsVisit, sampleDomains, unreachableVisit } from '../store/sample-visit.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2026, 0, 1);
const logger = createLogger({ level: 'silent', stream: process.stderr });

/** Crawls real servers in simulated time. `failing` are those that answer 503. */
async function createWorld(names: readonly string[]) {
  const network = await createTestNetwork();
  const { settings } = network;
  const failing = new Set<string>();
  const hosts: string[] = [];
  for (const [index, name] of names.entries())
    hosts.push(
      await network.listen(`${name}.example`, `127.0.9.${index + 1}`, async (path, _request, response) => {
        if (failing.has(name)) response.statusCode = 503;
        return path === '/api/v1/config' && !failing.has(name)
          ? { app: { software: 'loops' }, federation: false }
          : null;
      }),
    );
  const time = { ms: START };
  const now = () => time.ms;
  const app = await createApp(settings({}, {}, { serve: { port: 0 } }), logger, {
    now,
    clock: now,
    background: runInline,
  });
  onTestFinished(() => app[Symbol.asyncDispose]());
  const domains = parseDomains(hosts, app.settings);
  app.store.domains.enter(domains, START);
  const reader = app.store.reader();
  onTestFinished(() => reader[Symbol.dispose]());
  const entryOf = (index: number) => {
    const record = [...reader.instances.listed(now())].find(({ domain }) => domain === domains[index]);
    return record === undefined ? undefined : instanceEntryOf(record);
  };
  /** Lets the crawl run until a condition holds after a visit, and returns the time that passed. */
  async function runUntil(isMet: () => boolean, atMost: number): Promise<number> {
    const from = time.ms;
    for (; time.ms <= from + atMost; time.ms += MINUTE) {
      if (!isAnyDue(reader, now())) continue;
      await app.crawl({ signal: new AbortController().signal, onCompleted: () => undefined });
      if (isMet()) return time.ms - from;
    }
    throw new Error('the condition never held');
  }
  /** What users read about the first domain: pages, API, badge, feeds and exported files. */
  async function read() {
    await app.publishing.exportInBackground(new AbortController().signal);
    await using server = await listen({
      settings: app.settings,
      logger,
      health: () => ({ status: 'ok', problems: [] }),
      now,
    });
    const [domain] = domains;
    const fetched = async (path: string) => (await fetch(`${server.url}${path}`)).text();
    const exported = (name: string) => readFile(join(app.settings.export.dir, name), 'utf8');
    return {
      page: await fetched(`/instances/${domain}`),
      whyPage: await fetched(`/domains/${domain}`),
      badge: await fetched(`/instances/${domain}/badge.svg`),
      feed: await fetched(`/instances/${domain}/feed.atom`),
      instance: JSON.parse(await fetched(`/api/v1/instances/${domain}`)),
      why: JSON.parse(await fetched(`/api/v1/domains/${domain}`)),
      history: JSON.parse(await fetched(`/api/v1/instances/${domain}/history`)),
      exportedInstances: JSON.parse(await exported('instances.json')),
      exportedChanges: (await exported('changes.ndjson'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
      exportedTable: await exported('instances.csv'),
    };
  }
  return { app, domains, failing, reader, entryOf, runUntil, now, read };
}

const isAnyDue = (reader: StoreReader, at: number): boolean =>
  Object.values(reader.domains.backlog(at, 1)).some(({ due }) => due > 0);

test('a server that fails one visit is shown as up, with a flag, and nothing of that stays', async () => {
  const { failing, entryOf, runUntil, reader, domains } = await createWorld(['alpha', 'beta']);
  const [alpha] = domains;
  await runUntil(() => entryOf(0) !== undefined && entryOf(1) !== undefined, HOUR);
  failing.add('alpha');
  await runUntil(() => entryOf(0)?.flags.includes('unconfirmed') ?? false, 8 * HOUR);
  expect(entryOf(0)?.status).toBe('up');
  failing.clear();
  await runUntil(() => !entryOf(0)?.flags.includes('unconfirmed'), 12 * MINUTE);
  expect(entryOf(0)).toMatchObject({ status: 'up', uptime: { coverage: {} } });
  expect(
    alpha === undefined ? [] : [...reader.changes.of(alpha)].filter(({ field }) => field === 'state'),
  ).toHaveLength(1);
});

test('an outage is shown within 20 minutes of its first visit, ends within 70, and has one start and one end everywhere', async () => {
  const { app, failing, entryOf, runUntil, reader, domains, now } = await createWorld(['alpha', 'beta']);
  const [alpha] = domains;
  if (alpha === undefined) throw new Error('no domain');
  await runUntil(() => entryOf(0) !== undefined && entryOf(1) !== undefined, HOUR);
  failing.add('alpha');
  await runUntil(() => (reader.domains.find(alpha)?.failures ?? 0) > 0, 8 * HOUR);
  const began = now();
  expect(await runUntil(() => entryOf(0)?.status === 'down', 30 * MINUTE)).toBeLessThanOrEqual(20 * MINUTE);
  await runUntil(() => now() - began > 5 * HOUR, 6 * HOUR);
  failing.clear();
  expect(await runUntil(() => entryOf(0)?.status === 'up', 2 * HOUR)).toBeLessThanOrEqual(70 * MINUTE);
  const ended = now();

  const changes = [...reader.changes.of(alpha)].filter(({ field }) => field === 'state');
  expect(changes.map(({ at, to }) => [to, at])).toEqual([
    ['active', ended],
    ['failing', began],
    ['active', START],
  ]);
  expect(eventsOf([...reader.changes.of(alpha)], 'loops').map(({ kind, at }) => [kind, at])).toEqual([
    ['up', ended],
    ['down', began],
    ['listed', START],
  ]);
  const explanation = explainFrom(reader, app.settings, alpha, { now: now(), visits: 20 });
  expect(explanation.changes.slice(0, 2).map(({ changedAt, why }) => [changedAt, why])).toEqual([
    [new Date(ended).toISOString(), expect.stringMatching(/^answered again after [56] hours$/)],
    [new Date(began).toISOString(), 'failed: every response was a server error'],
  ]);
  const visited = explanation.visits.map(({ visitedAt }) => visitedAt);
  expect(visited).toEqual(visited.toSorted().reverse());
});

test('pages, API, badge, feed, exports and explanation tell of one outage with the same start, end and words', async () => {
  const { failing, entryOf, runUntil, domains, now, read } = await createWorld(['alpha', 'beta']);
  const [domain] = domains;
  await runUntil(() => entryOf(0) !== undefined && entryOf(1) !== undefined, HOUR);
  failing.add('alpha');
  await runUntil(() => entryOf(0)?.flags.includes('unconfirmed') ?? false, 8 * HOUR);
  const began = new Date(now()).toISOString();
  await runUntil(() => entryOf(0)?.status === 'down', 30 * MINUTE);
  const during = await read();
  failing.clear();
  await runUntil(() => entryOf(0)?.status === 'up', 2 * HOUR);
  const ended = new Date(now()).toISOString();
  const after = await read();

  const [start, end] = [began, ended].map((at) => english.format.dateTime(at)) as [string, string];
  const [why, whyEnded] = ['every response was a server error', 'answered again after 1 hour'];
  expect(during.page).toContain(`Down since ${start}, for`);
  expect(during.page).toContain(`The last visit failed: ${why}.`);
  expect(during.whyPage).toContain(`(${start}). Last visit: ${why}.`);
  expect(during.instance).toMatchObject({ status: 'down' });
  expect(during.exportedInstances.instances[0]).toMatchObject({ domain, status: 'down' });
  expect(during.exportedTable).toMatch(new RegExp(`^${domain},.*,down,`, 'm'));
  expect(during.badge).toContain('Loops server: down');
  expect(during.why).toMatchObject({ state: 'failing', since: began, stateWhy: `failed: ${why}` });

  for (const page of [after.page, after.whyPage]) {
    expect(page).toContain(`<time datetime="${began}">${start}</time>`);
    expect(page).toContain(`<time datetime="${ended}">${end}</time>`);
    expect(page).toContain(`Went down: ${why}.`);
    expect(page).toContain(`Up again: ${whyEnded}.`);
  }
  expect(after.instance).toMatchObject({ status: 'up' });
  expect(after.badge).toContain('Loops server: up');
  expect(after.why).toMatchObject({ state: 'active', since: ended, stateWhy: whyEnded });
  const outage = [
    { changedAt: ended, before: 'failing', after: 'active', why: whyEnded },
    { changedAt: began, before: 'active', after: 'failing', why: `failed: ${why}` },
  ];
  expect(after.why.changes.slice(0, 2)).toMatchObject(outage);
  expect(after.history.changes.slice(0, 2)).toMatchObject(outage);
  expect(after.exportedChanges.slice(-2).reverse()).toMatchObject(
    outage.map(({ why: _, ...change }) => ({ domain, ...change })),
  );
  const entries = after.feed.split('<entry>').slice(1, 3);
  expect(entries[0]).toMatch(new RegExp(`is up again<[^]*<updated>${ended}<[^]*Answered again after 1 hour\\.`));
  expect(entries[1]).toMatch(new RegExp(`is down<[^]*<updated>${began}<[^]*Failed: ${why}\\.`));
});

test('an instance without another one is down after three failed visits', async () => {
  const { failing, entryOf, runUntil, reader, domains } = await createWorld(['alpha']);
  const [alpha] = domains;
  await runUntil(() => entryOf(0) !== undefined, HOUR);
  failing.add('alpha');
  await runUntil(() => entryOf(0)?.status === 'down', 8 * HOUR);
  expect(alpha === undefined ? null : reader.domains.find(alpha)?.failures).toBe(3);
});

test('none of thirty instances is down after an hour in which our own network drops packets', async () => {
  const count = 30;
  const time = { ms: START };
  const now = () => time.ms;
  const drops = { from: START + 5.5 * HOUR, to: START + 6.5 * HOUR };
  const isDropping = () => now() >= drops.from && now() < drops.to;
  const step = { probe: 'robots', url: 'https://a.example.org/robots.txt', ms: 0, bytes: 0 } as const;
  const identifier: Identifier = {
    resolve: async (domain) => ({ builder: createVisitBuilder(domain, now, now), addresses: [] }),
    identify: async ({ builder: { domain } }) =>
      isDropping()
        ? {
            ...unreachableVisit(domain, now()),
            reason: 'connect-timeout',
            steps: [{ ...step, status: null, failure: 'connect-timeout' }],
          }
        : loopsVisit(domain, now(), { steps: [{ ...step, status: 200, failure: null }] }),
    cancelAll() {},
  };
  const connectivity = createConnectivity({
    resolver: { isAnswering: async () => true, canResolve: async () => true },
    clock: now,
  });
  const { settings } = await createTestNetwork();
  await using app = await createApp(settings({}), logger, {
    now,
    clock: now,
    identifier,
    connectivity,
    background: runInline,
  });
  app.store.domains.enter(sampleDomains(count), START);
  using reader = app.store.reader();
  const ends = new Set<string>();
  for (; time.ms < drops.to + HOUR; time.ms += 3 * MINUTE) {
    if (!isAnyDue(reader, now())) continue;
    const end = await app.crawl({ signal: new AbortController().signal, onCompleted: () => undefined });
    if (isDropping()) ends.add(end);
  }
  const listed = [...reader.instances.listed(now())];
  expect(listed).toHaveLength(count);
  expect(listed.filter((record) => record.state !== 'active' || record.failures > 0)).toEqual([]);
  expect(
    [...listed.flatMap(({ domain }) => [...reader.changes.of(domain)])].filter(({ to }) => to === 'failing'),
  ).toEqual([]);
  expect(ends).toContain('offline');
});
