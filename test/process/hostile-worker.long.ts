import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { openEngine, TASKS } from '../../src/crawl/workers/engine.ts';
import type { VisitTask } from '../../src/crawl/workers/visit-task.ts';
import { createFleet } from '../../src/reference/index.ts';
import { VERSION } from '../../src/version.ts';
import { startPostgres } from '../postgres.ts';
import { createFleetHome } from './fleet-home.ts';
import { runCli } from './run-cli.ts';

const worker = { name: 'liar', version: VERSION };
const answer = { kind: 'answer', status: 200, headers: {}, body: '', ms: 1, bytes: 0 };
const failure = { kind: 'failure', failure: 'connect-refused', status: null, ms: 1, bytes: 0 };
const megabytes = (count: number) => 'A'.repeat(count * 1_048_576);

/** What a hostile worker sends for a visit, given the origin of its host. */
const LIES: readonly [name: string, lie: (origin: string) => object][] = [
  ['fractional numbers', (origin) => sent([{ url: origin, result: { ...answer, status: 200.5 } }])],
  ['huge numbers', (origin) => sent([{ url: origin, result: { ...answer, ms: 1e300, bytes: 1e300 } }])],
  ['an answer that is a failure too', (origin) => sent([{ url: origin, result: { ...answer, failure: 'no-route' } }])],
  ['a visit instead of exchanges', (origin) => ({ worker, visit: { domain: origin, verdict: 'loops' } })],
  ['another host', () => sent([{ url: 'https://other.example/', result: failure }])],
  ['a body of 30 MB', (origin) => sent([{ url: origin, result: { ...answer, body: megabytes(30) } }])],
  ['a header of 30 MB', (origin) => sent([{ url: origin, result: { ...answer, headers: { server: megabytes(30) } } }])],
  ['a million exchanges', () => sent(Array(1_000_000).fill({}))],
];

function sent(exchanges: object[]) {
  return { worker, exchanges, tlsExpires: null };
}

/** The greatest resident memory of a running process so far; null where the system does not tell. */
function peakMegabytes(pid: number): number | null {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? null : Number(kilobytes) / 1_024;
  } catch {
    return null;
  }
}

test('a crawl refuses what a hostile worker sends, within 300 MB of memory, and visits each host by another worker', async () => {
  await using fleet = await createFleet({ hosts: 24, log: false, mix: { loops: 1 } });
  using home = createFleetHome(fleet);
  await using postgres = await startPostgres();
  const boss = await openEngine(postgres.url, { warn: () => undefined });
  onTestFinished(() => boss.stop({ graceful: false }));
  const env = { LOOPSCOUT_ENGINE_URL: postgres.url };
  const stop = new AbortController();
  const pids: number[] = [];
  let peak = 0;
  const crawl = runCli(['crawl', '--config', home.settingsFile], {
    env,
    onStart: ({ pid = 0 }) => void pids.push(pid),
  });
  const watchMemory = (async () => {
    while (!stop.signal.aborted) {
      peak = Math.max(peak, peakMegabytes(pids[0] ?? 0) ?? 0);
      await delay(100, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  })();

  const lied: string[] = [];
  while (lied.length < LIES.length) {
    const [job] = await boss.fetch<VisitTask>(TASKS);
    if (job === undefined) {
      await delay(50);
      continue;
    }
    const [name, lie] = LIES[lied.length % LIES.length] as (typeof LIES)[number];
    const result = lie(`https://${job.data.domain}/`);
    // Sent twice; the engine keeps the first.
    for (let copy = 0; copy < 2; copy += 1) await boss.complete(TASKS, job.id, result);
    lied.push(name);
  }
  const honest = await new Promise<import('node:child_process').ChildProcess>((resolve) => {
    void runCli(['worker', '--config', home.settingsFile, '--name', 'honest'], { env, onStart: resolve });
  });
  const { code, stderr } = await crawl;
  honest.kill('SIGTERM');
  stop.abort();
  await watchMemory;

  expect(code, stderr).toBe(0);
  const refused = stderr.split('\n').filter((line) => line.includes('sent a result that is refused'));
  expect(refused).toHaveLength(lied.length);
  expect(refused.filter((line) => line.length > 1_000)).toEqual([]);
  using database = openDatabase(home.database);
  expect(database.visits()).toEqual({ domains: 24, visits: 24, loops: 24, inProgress: 0 });
  expect(peak).toBeLessThan(300);
}, 180_000);

function openDatabase(path: string) {
  const sqlite = new Database(path, { readonly: true });
  return {
    visits: () =>
      sqlite
        .prepare(
          `select count(distinct domain_id) as domains, count(*) as visits, count(*) filter (where verdict = 'loops') as loops,
            (select count(*) from in_progress) as inProgress from visits`,
        )
        .get(),
    [Symbol.dispose]: () => sqlite.close(),
  };
}
