import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { VisitError } from '../../src/crawl/workers/visit-error.ts';
import type { HostAddress } from '../../src/http/resolver.ts';
import type { Identifier, Resolved } from '../../src/identify/identifier.ts';
import { createVisitBuilder } from '../../src/identify/visit-builder.ts';
import { createLogger } from '../../src/logger.ts';
import { type Domain, hostOf, storedDomain } from '../../src/model/domain/domain.ts';
import { registrableDomainOf } from '../../src/model/domain/registrable-domain.ts';
import type { Visit } from '../../src/model/visit.ts';
import type { Crawler } from '../../src/service/crawler.ts';
import { loadSettings } from '../../src/settings/settings.ts';
import { openStore } from '../../src/store/open-store.ts';
import { candidates, readOnce } from '../store/sample-source.ts';
import { loopsVisit, unreachableVisit } from '../store/sample-visit.ts';
import { refuseInserts, scratchPath } from '../store/scratch.ts';

const opened: Crawler[] = [];
afterEach(async () => {
  for (const app of opened.splice(0)) await app[Symbol.asyncDispose]();
});

interface Behaviour {
  /** Addresses of a domain; null: the name does not exist. */
  addressesOf?: (domain: Domain) => string[] | null;
  /** How long each visit takes. */
  visitMs?: number;
  /** No visit ends before this. */
  gate?: Promise<void>;
  /** The result of a visit. Default: a Loops server. */
  visitOf?: (domain: Domain) => Visit | Promise<Visit>;
}

/** A stubbed identifier that records the starts, ends and concurrency of its visits. */
function createIdentifier({ addressesOf = () => ['192.0.2.1'], visitMs = 5, gate, visitOf }: Behaviour) {
  /** Running visits by key: `all`, a host, a registrable domain or an address. */
  const running = new Map<string, number>();
  /** The highest value of each entry of `running` so far. */
  const mostRunning = new Map<string, number>();
  const started: { domain: Domain; at: number }[] = [];
  const finished: Domain[] = [];
  const change = (key: string, by: number) => {
    running.set(key, (running.get(key) ?? 0) + by);
    mostRunning.set(key, Math.max(mostRunning.get(key) ?? 0, running.get(key) ?? 0));
  };
  const identifier: Identifier = {
    async resolve(domain): Promise<Resolved | Visit> {
      const addresses = addressesOf(domain);
      if (addresses === null) return { ...unreachableVisit(domain, Date.now()), reason: 'dns-nxdomain' };
      return {
        builder: createVisitBuilder(domain, Date.now, () => performance.now()),
        addresses: addresses.map((address): HostAddress => ({ address, family: 4 })),
      };
    },
    async identify({ builder: { domain }, addresses }) {
      const ownKeys = [hostOf(domain), registrableDomainOf(domain), ...addresses.map(({ address }) => address)];
      const keys = new Set(['all', ...ownKeys]);
      for (const key of keys) change(key, 1);
      started.push({ domain, at: performance.now() });
      await delay(visitMs);
      await gate;
      for (const key of keys) change(key, -1);
      finished.push(domain);
      return visitOf?.(domain) ?? loopsVisit(domain, Date.now());
    },
    cancelAll() {},
  };
  return { identifier, mostRunning, started, finished };
}

async function openApp(behaviour: Behaviour, queue: object = {}, path = scratchPath(), now = Date.now) {
  const recorded = createIdentifier(behaviour);
  const settings = loadSettings({
    file: null,
    env: {},
    flags: {
      database: path,
      queue: { visitsPerSecond: 0, perAddress: 0, perRegistrableDomain: 0, ...queue },
      // No DNS server listens there; the stub needs none.
      network: { dnsServers: ['127.0.0.1:1'] },
    },
  });
  const logger = createLogger({ level: 'silent', stream: process.stderr });
  const app = await createApp(settings, logger, { identifier: recorded.identifier, now });
  opened.push(app);
  const completed: Domain[] = [];
  const crawl = (signal = new AbortController().signal, drain?: AbortSignal) =>
    app.crawl({ signal, drain, onCompleted: ({ domain }) => completed.push(domain) });
  return { app, path, crawl, completed, ...recorded };
}

/** Locks a database in another thread for half a second. */
const LOCK = `
  const { parentPort, workerData } = require('node:worker_threads');
  const other = new (require('better-sqlite3'))(workerData);
  other.exec('begin immediate');
  parentPort.postMessage('locked');
  setTimeout(() => other.exec('commit'), 500);
`;

const domains = (count: number, name: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => storedDomain(name(index)));

const aliasVisit = (domain: Domain, aliasOf: Domain) =>
  loopsVisit(domain, Date.now(), { verdict: 'alias', reason: 'redirected', via: null, facts: null, aliasOf });

describe('a crawl', () => {
  test('limits concurrent visits overall and per address, registrable domain and host', async () => {
    const { app, crawl, mostRunning, completed } = await openApp(
      // The length of a name decides which of three addresses it has.
      { addressesOf: (domain) => [`192.0.2.${domain.length % 3}`] },
      { concurrency: 20, perAddress: 7, perRegistrableDomain: 3 },
    );
    const allDomains = [
      ...domains(60, (i) => `${'x'.repeat(i % 5)}h${i}.one.org`),
      ...domains(60, (i) => `${'x'.repeat(i % 5)}h.site${i}.org`),
      // Requested, because their first visits are otherwise an hour apart.
      ...domains(6, (i) => `ports.example.net:${8_000 + i}`),
    ];
    app.store.domains.requestVisit(allDomains.slice(-6), Date.now());
    app.store.domains.enter(allDomains, Date.now());
    expect(await crawl()).toBe('done');
    expect(completed).toHaveLength(allDomains.length);
    expect(mostRunning.get('all')).toBeLessThanOrEqual(20);
    expect(mostRunning.get('one.org')).toBe(3);
    expect(mostRunning.get('ports.example.net')).toBe(1);
    for (const address of ['192.0.2.0', '192.0.2.1', '192.0.2.2']) expect(mostRunning.get(address)).toBe(7);
  });

  test('is not blocked by many hosts that wait for one busy address', async () => {
    const { app, crawl, finished } = await openApp(
      { addressesOf: (domain) => [domain.startsWith('busy') ? '192.0.2.1' : '192.0.2.2'], visitMs: 4 },
      { concurrency: 8, perAddress: 1 },
    );
    app.store.domains.enter(
      domains(100, (i) => `busy.site${i}.org`),
      Date.now() - 1_000,
    );
    app.store.domains.enter(
      domains(20, (i) => `idle.site${i}.org`),
      Date.now(),
    );
    await crawl();
    expect(finished).toHaveLength(120);
    // Although the busy hosts were due first, the idle ones finish in the first half.
    expect(finished.findLastIndex((domain) => domain.startsWith('idle'))).toBeLessThan(60);
  });

  test('visits a new domain that a source reports as Loops before the thousands that wait for its address', async () => {
    const { app, crawl, started } = await openApp({ visitMs: 2 }, { concurrency: 8, perAddress: 1 });
    app.store.domains.enter(
      domains(5_000, (i) => `busy.site${i}.org`),
      Date.now(),
    );
    const stop = new AbortController();
    const running = crawl(stop.signal);
    using reader = app.store.reader();
    // No other domain can wait for the address.
    const isCrowded = () => [...reader.domains.all()].some(({ nextVisitWhy }) => nextVisitWhy?.includes('address'));
    await expect.poll(isCrowded).toBe(true);
    const reported = storedDomain('reported.example.org');
    const before = started.length;
    readOnce(app.store, 'list', candidates([reported], 'loops'), Date.now());
    await expect.poll(() => started.some(({ domain }) => domain === reported), { interval: 1 }).toBe(true);
    stop.abort();
    await running;
    expect(started.findIndex(({ domain }) => domain === reported) - before).toBeLessThan(20);
  });

  test('limits the visits started per second; a name that does not exist does not count', async () => {
    const { app, crawl, started, completed } = await openApp(
      { addressesOf: (domain) => (domain.startsWith('gone') ? null : ['192.0.2.1']) },
      { visitsPerSecond: 20 },
    );
    // If these counted, the crawl would exceed the time-out of the test.
    app.store.domains.enter(
      domains(1_250, (i) => `gone.site${i}.org`),
      Date.now(),
    );
    app.store.domains.enter(
      domains(30, (i) => `here.site${i}.org`),
      Date.now(),
    );
    await crawl();
    expect(completed).toHaveLength(1_280);
    const [first, last] = [started.at(0)?.at ?? 0, started.at(-1)?.at ?? 0];
    // 30 starts at 20 per second, the first two at once, take 1.4 s.
    expect(last - first).toBeGreaterThan(1_250);
  });

  test('visits a domain that a user requests before all that wait for the global limits', async () => {
    const { app, crawl, started } = await openApp({ visitMs: 5 }, { concurrency: 2 });
    const requested = storedDomain('requested.example.org');
    app.store.domains.enter(
      domains(100, (i) => `h.site${i}.org`),
      Date.now(),
    );
    const running = crawl();
    await expect.poll(() => started.length, { interval: 1 }).toBeGreaterThan(20);
    app.store.domains.requestVisit([requested], Date.now());
    const before = started.length;
    app.wake();
    expect(await running).toBe('done');
    // Two visits run, and two more may begin while the name is resolved.
    expect(started.findIndex(({ domain }) => domain === requested) - before).toBeLessThan(5);
  });

  test('visits a domain once more that a user requests while it is being visited', async () => {
    const gate = Promise.withResolvers<void>();
    const { app, crawl, started, completed } = await openApp({ gate: gate.promise });
    const [domain, other] = domains(2, (i) => `h.site${i}.org`) as [Domain, Domain];
    app.store.domains.enter([domain, other], Date.now());
    const running = crawl();
    await expect.poll(() => started.length, { interval: 1 }).toBe(2);
    app.store.domains.requestVisit([domain], Date.now());
    app.wake();
    gate.resolve();
    expect(await running).toBe('done');
    expect(completed.toSorted()).toEqual([domain, domain, other]);
  });

  test('visits the host that an alias redirects to', async () => {
    const [old, home] = domains(2, (i) => `host${i}.example.org`) as [Domain, Domain];
    const { app, crawl, completed } = await openApp({
      visitOf: (domain) => (domain === old ? aliasVisit(old, home) : loopsVisit(domain, Date.now())),
    });
    app.store.domains.enter([old], Date.now());
    expect(await crawl()).toBe('done');
    expect(completed).toEqual([old, home]);
  });

  test('records no redirect without its target', async () => {
    const [old, home] = domains(2, (i) => `host${i}.example.org`) as [Domain, Domain];
    const { app, crawl, path } = await openApp({ visitOf: () => aliasVisit(old, home) });
    app.store.domains.enter([old], Date.now());
    refuseInserts(path, 'domains');
    await expect(crawl()).rejects.toThrow('the disk is full');
    using reader = app.store.reader();
    expect(reader.domains.find(old)).toMatchObject({ lastVisit: null, verdict: null });
  });

  test('is not offline when the instances visited as witnesses answered before the failed visit began', async () => {
    const all = domains(4, (i) => `host.site${i}.org`) as [Domain, Domain, Domain, Domain];
    const [first, second, answering, slow] = all;
    const failing = new Set<Domain>();
    const gate = Promise.withResolvers<void>();
    const step = {
      probe: 'config',
      url: 'https://host.example.org/',
      status: 200,
      ms: 1,
      bytes: 1,
      failure: null,
    } as const;
    const { app, crawl, finished } = await openApp({
      async visitOf(domain) {
        if (domain === slow && failing.has(slow)) await gate.promise;
        if (!failing.has(domain)) return loopsVisit(domain, Date.now(), { steps: [step] });
        const steps = [{ ...step, status: null, failure: 'connect-timeout' as const }];
        return { ...unreachableVisit(domain, Date.now()), reason: 'connect-timeout', steps };
      },
    });
    app.store.domains.enter(all, Date.now());
    await crawl();
    failing.add(first).add(second);
    app.store.domains.requestVisit([first, second], Date.now());
    await crawl();
    failing.add(slow);
    finished.splice(0);
    using reader = app.store.reader();
    app.store.domains.requestVisit([first], Date.now());
    const running = crawl();
    await expect.poll(() => [...reader.visits.of(answering)]).toHaveLength(2);
    expect(finished.toSorted()).toEqual(all.toSorted());
    app.store.domains.requestVisit([second], Date.now());
    app.wake();
    await expect.poll(() => finished.filter((domain) => domain === second)).toHaveLength(2);
    await delay(0);
    gate.resolve();
    expect(await running).toBe('done');
    for (const domain of [first, second])
      expect(reader.domains.find(domain)).toMatchObject({ state: 'failing', failures: 2 });
    expect(reader.domains.find(slow)).toMatchObject({ state: 'active', failures: 0 });
  });

  test('ends even if every name under a registrable domain redirects to the next', async () => {
    const { app, crawl, completed } = await openApp({
      visitOf: (domain) =>
        aliasVisit(domain, storedDomain(domain.replace(/^h\d+/, (host) => `h${Number(host.slice(1)) + 1}`))),
    });
    // The known names are not due during the crawl.
    const inAnHour = Date.now() + 3_600_000;
    app.store.domains.enter(
      domains(45, (i) => `known${i}.wild.org`),
      inAnHour,
    );
    app.store.domains.enter(['h0.wild.org', 'h0.known.org'].map(storedDomain), Date.now());
    app.store.domains.enter(
      domains(47, (i) => `known${i}.known.org`),
      inAnHour,
    );
    expect(await crawl()).toBe('done');
    // Redirects add names until a registrable domain has 50: 4 names to wild.org, 2 to known.org. Both h0 are visited too.
    expect(completed.filter((domain) => domain.endsWith('.wild.org'))).toHaveLength(5);
    expect(completed).toHaveLength(8);
  });

  test('visits a known alias again if its target now redirects to it', async () => {
    const [www, bare] = ['www.clips.org', 'clips.org'].map(storedDomain) as [Domain, Domain];
    const behaviour = {
      visitOf: (domain: Domain) => (domain === www ? aliasVisit(www, bare) : loopsVisit(domain, Date.now())),
    };
    const { app, crawl, completed } = await openApp({ visitOf: (domain) => behaviour.visitOf(domain) });
    app.store.domains.enter([www], Date.now());
    await crawl();
    expect(completed.splice(0)).toEqual([www, bare]);
    behaviour.visitOf = (domain) => (domain === bare ? aliasVisit(bare, www) : loopsVisit(domain, Date.now()));
    app.store.domains.requestVisit([bare], Date.now());
    expect(await crawl()).toBe('done');
    expect(completed).toEqual([bare, www]);
    using reader = app.store.reader();
    expect(reader.domains.find(www)).toMatchObject({ verdict: 'loops', state: 'active' });
    expect(reader.domains.find(bare)).toMatchObject({ verdict: 'alias', aliasOf: www });
  });

  test('visits no host a third time if two hosts redirect to each other', async () => {
    const [a, b] = ['a.clips.org', 'b.clips.org'].map(storedDomain) as [Domain, Domain];
    const { app, crawl, completed } = await openApp({
      visitOf: (domain) => aliasVisit(domain, domain === a ? b : a),
    });
    app.store.domains.enter([a, b], Date.now());
    expect(await crawl()).toBe('done');
    expect(completed.toSorted()).toEqual([a, a, b, b]);
  });

  test('that is stopped ends, even while hosts wait for the rate or an address; unvisited domains stay due', async () => {
    for (const limits of [{ visitsPerSecond: 1 }, { perAddress: 1 }]) {
      const { app, crawl, completed } = await openApp({ visitMs: 200 }, limits);
      // If they were all visited, the crawl would exceed the time-out of the test.
      app.store.domains.enter(
        domains(400, (i) => `h.site${i}.org`),
        Date.now(),
      );
      const controller = new AbortController();
      const running = crawl(controller.signal);
      await expect.poll(() => completed.length).toBeGreaterThan(0);
      controller.abort();
      expect(await running).toBe('stopped');
      using reader = app.store.reader();
      expect(reader.domains.counts(Date.now())).toMatchObject({ due: 400 - completed.length });
    }
  });

  test('that loses the network while hosts wait for an address ends as offline and records no failure for them', async () => {
    const allDomains = domains(400, (i) => `h.site${i}.org`);
    let isLost = false;
    const noRouteVisit = (domain: Domain): Visit => ({
      ...unreachableVisit(domain, Date.now()),
      reason: 'no-route',
      steps: [{ probe: 'robots', url: domain, status: null, ms: 0, bytes: 0, failure: 'no-route' }],
    });
    const { app, crawl, completed } = await openApp(
      {
        visitMs: 20,
        visitOf: (domain) => (isLost ? noRouteVisit(domain) : loopsVisit(domain, Date.now())),
      },
      { perAddress: 4 },
    );
    app.store.domains.enter(allDomains, Date.now());
    const running = crawl();
    await expect.poll(() => completed.length).toBeGreaterThan(10);
    isLost = true;
    expect(await running).toBe('offline');
    using reader = app.store.reader();
    const noRouteCount = [...reader.domains.all()].filter(({ reason }) => reason === 'no-route').length;
    // Only the visits that were running may have failed, at most one per slot of the address.
    expect(noRouteCount).toBeLessThanOrEqual(4);
    expect(reader.domains.counts(Date.now()).due).toBe(400 - completed.length);
  });

  test('that is drained finishes and records its running visits, starts no others, and leaves the rest due', async () => {
    for (const limits of [{ concurrency: 5 }, { visitsPerSecond: 10 }, { perAddress: 2 }]) {
      const gate = Promise.withResolvers<void>();
      const { app, crawl, completed, started } = await openApp({ gate: gate.promise }, limits);
      app.store.domains.enter(
        domains(40, (i) => `h.site${i}.org`),
        Date.now(),
      );
      const drain = new AbortController();
      const running = crawl(undefined, drain.signal);
      await expect.poll(() => started.length).toBeGreaterThan(0);
      drain.abort();
      const startedBefore = started.length;
      gate.resolve();
      expect(await running).toBe('stopped');
      expect(started).toHaveLength(startedBefore);
      expect(completed).toHaveLength(startedBefore);
      using reader = app.store.reader();
      expect(reader.visits.lastId()).toBe(startedBefore);
      expect(reader.domains.counts(Date.now())).toMatchObject({ due: 40 - startedBefore });
    }
  });

  test('that is drained before its start visits nothing', async () => {
    const { app, crawl, started } = await openApp({});
    app.store.domains.enter(
      domains(5, (i) => `h.site${i}.org`),
      Date.now(),
    );
    expect(await crawl(undefined, AbortSignal.abort())).toBe('stopped');
    expect(started).toEqual([]);
  });

  test('does not visit or report a domain that was forgotten while it waited', async () => {
    const gate = Promise.withResolvers<void>();
    const { app, path, crawl, started, completed } = await openApp({ gate: gate.promise }, { concurrency: 2 });
    const allDomains = domains(12, (i) => `h.site${i}.org`);
    app.store.domains.enter(allDomains, Date.now());
    const running = crawl();
    await expect.poll(() => started).toHaveLength(2);
    await using other = await openStore({ path });
    const waiting = allDomains.filter((domain) => !started.some((visit) => visit.domain === domain)).slice(0, 3);
    expect(waiting).toHaveLength(3);
    other.optOuts.forget(waiting, Date.now());
    await expect.poll(() => waiting.every((domain) => app.store.optOuts.has(domain))).toBe(true);
    gate.resolve();
    expect(await running).toBe('done');
    const others = allDomains.filter((domain) => !waiting.includes(domain));
    expect(started.map(({ domain }) => domain).toSorted()).toEqual(others.toSorted());
    expect(completed.toSorted()).toEqual(others.toSorted());
  });

  test('neither reports a domain that was forgotten during its visit nor follows its alias', async () => {
    const [away, home, kept] = ['away.clips.org', 'home.clips.org', 'kept.clips.org'].map(storedDomain) as [
      Domain,
      Domain,
      Domain,
    ];
    const gate = Promise.withResolvers<void>();
    const { app, path, crawl, started, completed } = await openApp({
      gate: gate.promise,
      visitOf: (domain) => (domain === away ? aliasVisit(away, home) : loopsVisit(domain, Date.now())),
    });
    app.store.domains.enter([away, kept], Date.now());
    const running = crawl();
    await expect.poll(() => started).toHaveLength(2);
    await using other = await openStore({ path });
    other.optOuts.forget([away], Date.now());
    gate.resolve();
    expect(await running).toBe('done');
    expect(completed).toEqual([kept]);
    using reader = app.store.reader();
    expect([...reader.domains.all()].map(({ domain, state }) => [domain, state])).toEqual([[kept, 'active']]);
  });

  test('records every visit once if another connection locks the database for a while', async () => {
    const { app, path, crawl, completed } = await openApp({}, { concurrency: 10 });
    const allDomains = domains(60, (i) => `h.site${i}.org`);
    app.store.domains.enter(allDomains, Date.now());
    const locker = new Worker(LOCK, { eval: true, workerData: path });
    const ended = once(locker, 'exit');
    await once(locker, 'message');
    expect(await crawl()).toBe('done');
    await ended;
    expect(completed.toSorted()).toEqual(allDomains.toSorted());
    using reader = app.store.reader();
    expect(reader.visits.lastId()).toBe(60);
  });

  test('visits a domain again whose worker was lost; after the second loss, the domain waits', async () => {
    const { app, crawl, completed, identifier } = await openApp({});
    let losses = 0;
    identifier.identify = async () => {
      losses += 1;
      throw new VisitError('lost', 'lost');
    };
    app.store.domains.enter([storedDomain('deadly.example.org')], Date.now());
    expect(await crawl()).toBe('done');
    expect([losses, completed]).toEqual([2, []]);
    using reader = app.store.reader();
    expect(reader.domains.find(storedDomain('deadly.example.org'))).toMatchObject({
      failures: 0,
      nextVisitWhy: '2 visits in a row were cut off before they ended',
    });
  });

  test('lets a domain wait for a minute that its worker could not visit, and then visits it', async () => {
    let skippedMs = 0;
    const { app, crawl, started, completed, identifier } = await openApp(
      {},
      {},
      undefined,
      () => Date.now() + skippedMs,
    );
    const { identify } = identifier;
    let refusals = 0;
    identifier.identify = async (...visit) => {
      if (skippedMs > 0) return identify(...visit);
      refusals += 1;
      throw new VisitError('not-visited', 'this machine is offline');
    };
    const domain = storedDomain('h.example.org');
    app.store.domains.enter([domain], Date.now());
    const running = crawl();
    using reader = app.store.reader();
    await expect
      .poll(() => reader.domains.find(domain)?.nextVisitWhy)
      .toBe('waits because its worker could not visit it');
    expect((reader.domains.find(domain)?.nextVisit ?? 0) - Date.now()).toBeGreaterThan(50_000);
    skippedMs = 60_000;
    expect(await running).toBe('done');
    expect([refusals, started.length, completed]).toEqual([1, 1, [domain]]);
  });

  test('of a few domains records its visits without waiting for a full batch', async () => {
    const { app, crawl, completed } = await openApp({});
    // The timer of the batch never fires.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    app.store.domains.enter([storedDomain('h.example.org')], Date.now());
    await crawl();
    expect(completed).toHaveLength(1);
  });

  test('continues if a bug breaks the visit to one domain, which is tried again after an hour', async () => {
    const allDomains = domains(20, (i) => `h.site${i}.org`);
    const broken = allDomains[7] as Domain;
    const { app, path, crawl, started, completed } = await openApp({
      visitOf: (domain) => {
        if (domain === broken) throw new TypeError('not a function');
        return loopsVisit(domain, Date.now());
      },
    });
    app.store.domains.enter(allDomains, Date.now());
    expect(await crawl()).toBe('done');
    expect(completed).toHaveLength(19);
    expect(await crawl()).toBe('done');
    expect(started.filter(({ domain }) => domain === broken)).toHaveLength(1);
    opened.pop();
    await app[Symbol.asyncDispose]();
    await using store = await openStore({ path });
    expect(store.due.pick(100, Date.now())).toEqual([]);
    const anHourLater = store.due.pick(100, Date.now() + 3_600_000);
    expect(anHourLater.map(({ record, crashes }) => [record.domain, crashes])).toEqual([[broken, 0]]);
  });

  test('ends with the error of the store if visits cannot be recorded', async () => {
    const { app, crawl, path } = await openApp({}, { concurrency: 4 });
    app.store.domains.enter(
      domains(50, (i) => `h.site${i}.org`),
      Date.now(),
    );
    refuseInserts(path, 'visits');
    await expect(crawl()).rejects.toThrow('the disk is full');
  });
});
