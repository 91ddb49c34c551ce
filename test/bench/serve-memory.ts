/**
 * `npm run bench -- serve-memory [requests] [instances]`: resident memory of a process that serves the API and the pages, under mixed
 * requests of many clients: pages, lists, details, searches, histories, unknown paths, refused methods, in all encodings.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PQueue from 'p-queue';
import { openStore } from '../../src/store/open-store.ts';
import { fillStore, nameOf } from '../api/fill-store.ts';
import { startMeasuredServer } from './start-measured-server.ts';

const requests = Number(process.argv[2] ?? 20_000);
const instances = Number(process.argv[3] ?? 10_000);
const clients = 32;
const print = (line: string) => process.stdout.write(`${line}\n`);

const paths = (count: number): string => {
  const name = nameOf(count % instances);
  const all = [
    ...['/', `/?page=${count % 90}`, '/?view=table', `/?q=${count % 100}`, `/instances/${name}`, `/domains/${name}`],
    ...['/stats', '/crawler', '/about', '/api', '/openapi.json', '/health', '/metrics', '/sitemap.xml', '/robots.txt'],
    ...['/api/v1/instances?limit=500', '/api/v1/instances?limit=10', `/api/v1/instances/${name}`, '/api/v1/stats'],
    ...[`/api/v1/domains/${name}`, `/api/v1/instances/${name}/timeline`, '/api/v1/versions', '/api/v1/stats/history'],
    ...['/api/v1/changes?limit=500', '/nothing', '/api/v1/nothing', '/%zz', `/instances/${'x'.repeat(200)}`],
  ];
  return all[count % all.length] ?? '/';
};

const folder = mkdtempSync(join(tmpdir(), 'loopscout-bench-'));
try {
  const database = join(folder, 'store.sqlite');
  {
    await using store = await openStore({ path: database });
    fillStore(store, instances, Date.now() - 12 * 3_600_000);
  }
  await using api = await startMeasuredServer('api-server', 'api', database);
  const peak = () => Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${api.pid}/status`, 'utf8'))?.[1]) / 1_024;
  const now = () => Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${api.pid}/status`, 'utf8'))?.[1]) / 1_024;
  print(`before: ${now().toFixed(0)} MB`);
  const queue = new PQueue({ concurrency: clients });
  const statuses = new Map<number, number>();
  for (let count = 0; count < requests; count++) {
    const headers = {
      'accept-encoding': ['br', 'gzip', 'identity'][count % 3] ?? '',
      accept: count % 2 ? 'text/html' : '*/*',
    };
    const method = count % 50 === 49 ? 'POST' : 'GET';
    queue.add(async () => {
      const response = await fetch(api.url + paths(count), { method, headers, redirect: 'manual' });
      await response.arrayBuffer();
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    });
    if (count % (requests / 5) === 0 && count > 0) {
      await queue.onIdle();
      print(`after ${count}: ${now().toFixed(0)} MB, peak ${peak().toFixed(0)} MB`);
    }
  }
  await queue.onIdle();
  print(
    `after ${requests}: ${now().toFixed(0)} MB, peak ${peak().toFixed(0)} MB; statuses ${JSON.stringify([...statuses])}`,
  );
} finally {
  rmSync(folder, { recursive: true });
}
