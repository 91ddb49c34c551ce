import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createApp, createLogger, parseDomains } from '../../../src/app/app.ts';
import { createChildProcesses } from '../../../src/crawl/visitors/child-processes.ts';
import { VisitorLostError, type VisitTask } from '../../../src/crawl/visitors/visit-task.ts';
import type { Domain } from '../../../src/model/domain/domain.ts';
import type { Visit } from '../../../src/model/visit.ts';
import { createTestNetwork } from '../../create-test-network.ts';
import { findVisitProcesses } from '../../process/visit-processes.ts';

const logger = createLogger({ level: 'silent', stream: process.stderr });

/** Reported when a child process is killed during visits. */
const LOST = 'a child process ended with signal SIGKILL; its visits are repeated';

/** Two visits, each in a child process of its own, to a host that never answers. */
async function createStalledVisits(budgetMs = 60_000) {
  const testNetwork = await createTestNetwork();
  let requests = 0;
  const domain = (await testNetwork.listen('slow.example', '127.0.22.9', async () => {
    requests += 1;
    return await new Promise(() => undefined);
  })) as Domain;
  const { network, softwareId, robots } = testNetwork.settings({});
  const deaths: string[] = [];
  const visitors = createChildProcesses({
    ...{ count: 2, network, budgetMs },
    onTrouble: (message) => deaths.push(message),
  });
  onTestFinished(() => visitors.cancelAll());
  const task: VisitTask = {
    domain,
    steps: [],
    host: { ipv4: true, ipv6: false, tlsExpires: null, noindex: null, canonicalHost: null },
    hosts: [['slow.example', { kind: 'allowed', addresses: [{ address: '127.0.22.9', family: 4 }] }]],
    cachedRobots: null,
    options: { softwareId, robots, allowSuffixes: ['example'], userAgent: 'Loopscout/0.0.0' },
    earlier: { exchanges: [], certificate: null },
  };
  const visits = [visitors.visit(task), visitors.visit(task)];
  const results = Promise.allSettled(visits);
  await vi.waitFor(() => expect(requests).toBe(2), { timeout: 10_000 });
  return { visits, results, deaths, visitors, task };
}

const childProcesses = () => findVisitProcesses(process.pid);

describe('the visits of a child process', () => {
  test('are lost when it is killed, and the next visit starts a new process', async () => {
    const { visits, deaths, visitors, task } = await createStalledVisits();
    const [first] = childProcesses() as [number, number];
    process.kill(first, 'SIGKILL');
    await expect(Promise.race(visits)).rejects.toThrow(VisitorLostError);
    expect(deaths).toEqual([LOST]);
    const next = visitors.visit(task);
    await expect.poll(() => childProcesses()).toHaveLength(2);
    visitors.cancelAll();
    await expect(next).rejects.toThrow(VisitorLostError);
  });

  test('are lost when it is frozen past their deadline, and it is killed', async () => {
    const { results, deaths } = await createStalledVisits(10_000);
    for (const pid of childProcesses()) process.kill(pid, 'SIGSTOP');
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(deaths).toEqual([LOST, LOST]);
    expect(childProcesses()).toEqual([]);
  });

  test('are lost when all visits are cancelled, and the processes end', async () => {
    const { results, deaths, visitors } = await createStalledVisits();
    visitors.cancelAll();
    for (const result of await results) expect(result).toMatchObject({ reason: expect.any(VisitorLostError) });
    expect(childProcesses()).toEqual([]);
    expect(deaths).toEqual([]);
  });
});

test('a domain whose visits kill their child processes is visited again; after the second kill, only after a wait', async () => {
  const testNetwork = await createTestNetwork();
  let requests = 0;
  const hostAndPort = await testNetwork.listen('deadly.example', '127.0.22.10', async (path) => {
    requests += 1;
    if (requests <= 2) for (const pid of childProcesses()) process.kill(pid, 'SIGKILL');
    return path === '/api/v1/config' ? { app: { software: 'other' } } : null;
  });
  const settings = testNetwork.settings({ processes: 1 });
  const domains = parseDomains([hostAndPort], settings);
  await using app = await createApp(settings, logger);
  app.store.enter(domains, Date.now());
  const startedAt = performance.now();
  const visits: Visit[] = [];
  const end = await app.crawl({
    signal: new AbortController().signal,
    onCompleted: (visit) => visits.push(visit),
  });
  expect(end).toBe('done');
  expect(visits.map(({ verdict }) => verdict)).toEqual(['other']);
  // The third visit waits for 1 s.
  expect(performance.now() - startedAt).toBeGreaterThan(1_000);
  using reader = app.store.reader();
  expect([...reader.visitsOf(domains[0] as Domain)]).toHaveLength(1);
});
