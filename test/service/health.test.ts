import { expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../../src/logger.ts';
import { storedDomain } from '../../src/model/domain/domain.ts';
import { HealthRecord } from '../../src/service/health.ts';
import type { Backlog } from '../../src/store/domains/known-domains.ts';

const emptyLane = { due: 0, oldest: null };
const emptyBacklog: Backlog = { live: emptyLane, new: emptyLane, known: emptyLane, dead: emptyLane };

const logger = createLogger({ level: 'silent', stream: process.stderr });

/** A health record with a manual time that serves as wall clock and monotonic clock. */
function create() {
  const time = { ms: 0 };
  const record = new HealthRecord({ version: '1.2.3', logger, now: () => time.ms, clock: () => time.ms });
  onTestFinished(() => record[Symbol.dispose]());
  return { record, time };
}

test('the health is ok at the start, with no visits and no due domains', () => {
  const { record } = create();
  expect(record.read(emptyBacklog)).toMatchObject({
    status: 'ok',
    problems: [],
    warnings: [],
    version: '1.2.3',
    startedAt: '1970-01-01T00:00:00.000Z',
    crawl: { phase: 'idle', offlineSince: null },
    backlog: { live: { due: 0, lateSeconds: null } },
    visits: { total: 0, byVerdict: {}, failureRates: {} },
    export: { lastAt: null, guard: null },
  });
});

test('the health counts the visits of the last hour and the rate of each failure class', () => {
  const { record, time } = create();
  record.addVisit({ verdict: 'other', reason: 'nodeinfo-software' });
  time.ms = 30 * 60_000;
  for (let i = 0; i < 6; i++) record.addVisit({ verdict: 'loops', reason: 'config-software' });
  record.addVisit({ verdict: 'unreachable', reason: 'tls-expired' });
  record.addVisit({ verdict: 'unreachable', reason: 'connect-timeout' });
  record.addVisit({ verdict: 'unreachable', reason: 'visit-timeout' });
  expect(record.read(emptyBacklog).visits).toEqual({
    total: 10,
    byVerdict: { other: 1, loops: 6, unreachable: 3 },
    failureRates: { 'TLS failure': 0.1, 'time-out': 0.2 },
  });
  time.ms = 75 * 60_000;
  expect(record.read(emptyBacklog).visits).toMatchObject({ total: 9, byVerdict: { loops: 6 } });
  time.ms = 10 * 3_600_000;
  expect(record.read(emptyBacklog).visits).toEqual({ total: 0, byVerdict: {}, failureRates: {} });
});

test('the health is failing while any component fails, and ok once all work again', () => {
  const { record } = create();
  record.reportProblem('export', 'the disk is full');
  record.reportProblem('crawl', 'the database is locked');
  expect(record.read(emptyBacklog)).toMatchObject({
    status: 'failing',
    problems: ['the disk is full', 'the database is locked'],
  });
  record.clearProblem('export');
  expect(record.read(emptyBacklog)).toMatchObject({ status: 'failing', problems: ['the database is locked'] });
  record.clearProblem('crawl');
  expect(record.read(emptyBacklog)).toMatchObject({ status: 'ok', problems: [] });
});

test('the health reports the lateness of each priority lane: never negative, null when unknown', () => {
  const { record, time } = create();
  time.ms = 100_000;
  const backlog = { ...emptyBacklog, live: { due: 3, oldest: 40_000 }, dead: { due: 1, oldest: 200_000 } };
  expect(record.read(backlog).backlog).toMatchObject({
    live: { due: 3, lateSeconds: 60 },
    dead: { due: 1, lateSeconds: 0 },
  });
  expect(record.read(null).backlog.live).toEqual({ due: 0, lateSeconds: null });
});

test('the health keeps the start of an offline period until the crawler is online again', () => {
  const { record, time } = create();
  time.ms = 1_000;
  record.setPhase('offline');
  time.ms = 60_000;
  record.setPhase('offline');
  expect(record.read(emptyBacklog).crawl).toEqual({ phase: 'offline', offlineSince: '1970-01-01T00:00:01.000Z' });
  record.setPhase('crawling');
  expect(record.read(emptyBacklog).crawl).toEqual({ phase: 'crawling', offlineSince: null });
});

test('the health is degraded, not failing, when an external service fails', () => {
  const { record } = create();
  record.reportProblem('release', 'the release page does not answer');
  expect(record.read(emptyBacklog)).toMatchObject({
    status: 'degraded',
    problems: ['the release page does not answer'],
  });
  expect([record.hasProblem('release'), record.hasProblem('sources')]).toEqual([true, false]);
  record.reportProblem('export', 'the disk is full');
  expect(record.read(emptyBacklog).status).toBe('failing');
});

test('the health reports the longest block of the event loop since the previous read', async () => {
  const record = new HealthRecord({ version: '1', logger, now: Date.now, clock: () => performance.now() });
  onTestFinished(() => record[Symbol.dispose]());
  const longestBlock = () => record.read(emptyBacklog).eventLoop.maxMs;
  // Blocks the event loop.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
  let block = 0;
  await expect.poll(() => (block = longestBlock())).toBeGreaterThanOrEqual(500);
  // It is not counted again.
  await expect.poll(longestBlock).toBeLessThan(block);
});

test('listed instances that refuse requests are a warning, which names at most ten and does not change the status', () => {
  const { record } = create();
  const names = Array.from({ length: 12 }, (_, index) => storedDomain(`clips${index}.example.org`));
  const { status, warnings } = record.read(emptyBacklog, [], names);
  expect(status).toBe('ok');
  expect(warnings).toEqual([expect.stringMatching(/403 or a challenge page: clips0\.example\.org, .*, and 2 more\. /)]);
  expect(record.read(emptyBacklog, [], []).warnings).toEqual([]);
});
