/**
 * `npm run bench -- api [seconds] [instances]`: speed of list, detail and 304 responses of the API over a database of 10,000
 * instances with a month of visits, compared with bare Fastify routes that serve the same bytes; then the same with visits
 * recorded on the API's thread. Each server runs in its own process. Servers are measured alternately, in slices of half a
 * second; ratios are medians over adjacent slices.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import SqliteDatabase from 'better-sqlite3';
import { openStore } from '../../src/store/open-store.ts';
import { fillStore, nameOf } from '../api/fill-store.ts';
import type { ApiServerKind, ApiServerUsage, BareAnswers } from './api-server.ts';
import { median, printTable } from './print-figures.ts';
import { type MeasuredServer, startMeasuredServer } from './start-measured-server.ts';

const seconds = Number(process.argv[2] ?? 20);
const instances = Number(process.argv[3] ?? 10_000);
const connections = 50;
const sliceSeconds = 0.5;
const listPath = '/api/v1/instances';
const detailPath = `${listPath}/${nameOf(3)}`;

interface Query {
  name: string;
  path: string;
  headers?: Record<string, string>;
  status: number;
}

type MeasuredApi = MeasuredServer<ApiServerUsage>;
const startApiServer = (kind: ApiServerKind, file: string) =>
  startMeasuredServer<ApiServerUsage>('api-server', kind, file);

interface Slice {
  perSecond: number;
  p99Ms: number;
}

const printLine = (line: string) => process.stdout.write(`${line}\n`);

/** Creates a database with a month of visits, one every six hours; the older visits have no documents and no facts. */
async function fill(path: string): Promise<void> {
  const now = Date.now();
  {
    await using store = await openStore({ path });
    fillStore(store, instances, now - 12 * 3_600_000);
  }
  const sqlite = new SqliteDatabase(path);
  sqlite.exec(`
    with recursive visit(number) as (select 1 union all select number + 1 from visit where number < 120)
    insert into visits (domain_id, at, duration_ms, verdict, reason, state)
      select id, ${now} - 13 * 3600000 - number * 21600000, 200, 'loops', 'config-software', 'active' from visit, domains;
    pragma wal_checkpoint(truncate); analyze;`);
  sqlite.close();
}

async function measureSlice(
  server: MeasuredApi,
  { path, headers = {}, status }: Query,
  duration: number,
): Promise<Slice> {
  const url = server.url + path;
  const result = await autocannon({ url, headers, connections, duration, sampleInt: 50 });
  const expectedCount = status === 200 ? result['2xx'] : result['3xx'];
  const total = result.requests.total;
  if (result.errors > 0 || result.timeouts > 0 || expectedCount !== total)
    throw new Error(`${url}: ${result.errors} errors, ${total - expectedCount} not ${status}`);
  return { perSecond: total / result.duration, p99Ms: result.latency.p99 };
}

async function compare(api: MeasuredApi, bare: MeasuredApi, query: Query) {
  const slices = { api: [] as Slice[], bare: [] as Slice[] };
  const before = await api.usage();
  const endAt = performance.now() + seconds * 2_000;
  while (performance.now() < endAt) {
    const order = Math.random() < 0.5 ? (['api', 'bare'] as const) : (['bare', 'api'] as const);
    for (const name of order) slices[name].push(await measureSlice(name === 'api' ? api : bare, query, sliceSeconds));
  }
  const after = await api.usage();
  const ratios = slices.api.map(({ perSecond }, i) => perSecond / (slices.bare[i]?.perSecond ?? Number.NaN));
  return {
    request: query.name,
    'API/s': median(slices.api.map(({ perSecond }) => perSecond)).toFixed(0),
    'bare/s': median(slices.bare.map(({ perSecond }) => perSecond)).toFixed(0),
    ratio: median(ratios).toFixed(2),
    'p99 ms': median(slices.api.map(({ p99Ms }) => p99Ms)).toFixed(1),
    'bare p99 ms': median(slices.bare.map(({ p99Ms }) => p99Ms)).toFixed(1),
    'worst p99 ms': Math.max(...slices.api.map(({ p99Ms }) => p99Ms)).toFixed(0),
    'loop p99 / max ms': `${after.delayP99Ms.toFixed(0)} / ${after.delayMaxMs.toFixed(0)}`,
    'heap MB': `${before.heapMB.toFixed(0)} -> ${after.heapMB.toFixed(0)}`,
    'RSS MB': `${before.rssMB.toFixed(0)} -> ${after.rssMB.toFixed(0)}`,
    'visits/s': ((after.visits - before.visits) / (seconds * 2)).toFixed(0),
  };
}

async function measure(head: string, api: MeasuredApi, bare: MeasuredApi, queries: readonly Query[]) {
  for (const query of queries) {
    await measureSlice(api, query, 2);
    await measureSlice(bare, query, 2);
  }
  const rows: Record<string, string>[] = [];
  for (const query of queries) rows.push(await compare(api, bare, query));
  printTable(head, rows);
}

const folder = mkdtempSync(join(tmpdir(), 'loopscout-bench-'));
try {
  const database = join(folder, 'store.sqlite');
  await fill(database);
  const answersFile = join(folder, 'answers.json');
  const list: Query = { name: 'list', path: listPath, status: 200 };
  const detail: Query = { name: 'detail', path: detailPath, status: 200 };
  const gzipped: Query = { ...list, name: 'list, gzip', headers: { 'accept-encoding': 'gzip' } };
  {
    const startedAt = performance.now();
    await using api = await startApiServer('api', database);
    printLine(`started over ${instances} instances in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
    const listResponse = await fetch(api.url + listPath, { headers: { 'accept-encoding': 'identity' } });
    const body = await listResponse.text();
    const etag = listResponse.headers.get('etag') ?? '';
    const detailBody = await (await fetch(api.url + detailPath)).text();
    const bareAnswers: BareAnswers = {
      list: { path: listPath, body, etag },
      detail: { path: detailPath, body: detailBody },
    };
    writeFileSync(answersFile, JSON.stringify(bareAnswers));
    await using bare = await startApiServer('bare', answersFile);
    const unchanged: Query = { name: '304', path: listPath, headers: { 'if-none-match': etag }, status: 304 };
    const head = `${seconds} s each, ${connections} connections, list of ${body.length} bytes, Node ${process.versions.node}`;
    await measure(head, api, bare, [list, detail, unchanged, gzipped]);
  }
  {
    await using api = await startApiServer('api-and-crawl', database);
    await using bare = await startApiServer('bare', answersFile);
    await measure('The same with visits recorded on the same thread', api, bare, [list, detail]);
  }
} finally {
  rmSync(folder, { recursive: true });
}
