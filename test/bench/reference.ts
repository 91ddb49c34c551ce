import autocannon from 'autocannon';
import { median, printTable } from './print-figures.ts';
import type { ServerKind, Usage } from './reference-server.ts';
import { startMeasuredServer } from './start-measured-server.ts';

/**
 * `npm run bench -- reference [seconds]`: speed of config on the reference server compared with a bare Fastify route that serves
 * the same bytes; then the server's memory over 200,000 requests and 20,000 registrations. Each server runs in its own process. Servers
 * are measured alternately, in slices of half a second, so drifting machine speed affects all; each gets `seconds` (20) in total,
 * and ratios are medians over adjacent slices.
 */
const seconds = Number(process.argv[2] ?? 20);
const path = '/api/v1/config';
const sliceSeconds = 0.5;
const connections = 20;
const requests = 200_000;
const registrations = 20_000;

async function load(options: autocannon.Options): Promise<autocannon.Result> {
  const result = await autocannon({ connections, ...options });
  if (result.errors > 0 || result.timeouts > 0 || result.non2xx > 0) {
    throw new Error(`${options.url}: ${result.errors} errors, ${result.timeouts} time-outs, ${result.non2xx} not 2xx`);
  }
  return result;
}

const startReferenceServer = (kind: ServerKind) => startMeasuredServer<Usage>('reference-server', kind);

async function start(kind: ServerKind) {
  const server = await startReferenceServer(kind);
  await load({ url: server.url + path, duration: 1 });
  return { kind, server, perSecond: [] as number[], cpuMicroseconds: [] as number[] };
}

async function compareSpeed(): Promise<void> {
  const measured = [await start('bare-object'), await start('reference'), await start('bare-string')];
  const bodies = await Promise.all(measured.map(async ({ server }) => (await fetch(server.url + path)).text()));
  // `app.url` contains the port of each process; all other bytes must be equal.
  const withoutPort = bodies.map((body) => body.replace(/(127\.0\.0\.1):\d+/, '$1'));
  if (new Set(withoutPort).size !== 1) throw new Error('The servers serve different bytes.');
  const endAt = performance.now() + seconds * 1_000 * measured.length;
  while (performance.now() < endAt) {
    // In a fixed order, each server would always be measured after the same server.
    const order = [...measured].sort(() => Math.random() - 0.5);
    for (const { server, perSecond, cpuMicroseconds } of order) {
      const before = await server.usage();
      const { requests: requestCounts, duration } = await load({
        url: server.url + path,
        duration: sliceSeconds,
        sampleInt: 50,
      });
      const after = await server.usage();
      perSecond.push(requestCounts.total / duration);
      cpuMicroseconds.push(((after.cpuMs - before.cpuMs) * 1_000) / requestCounts.total);
    }
  }
  for (const { server } of measured) await server[Symbol.asyncDispose]();
  const reference = measured.find(({ kind }) => kind === 'reference')?.perSecond ?? [];
  printTable(
    `GET ${path}, ${seconds} s each, ${reference.length} slices, ${connections} connections, Node ${process.versions.node}`,
    measured.map(({ kind, perSecond, cpuMicroseconds }) => ({
      server: kind,
      'requests/s': median(perSecond).toFixed(0),
      'CPU µs/request': median(cpuMicroseconds).toFixed(1),
      'reference / this': median(reference.map((value, i) => value / (perSecond[i] ?? Number.NaN))).toFixed(2),
    })),
  );
}

async function followMemory(): Promise<void> {
  await using server = await startReferenceServer('reference');
  const rows: Record<string, string>[] = [];
  const addRow = async (after: string) => {
    const { heapMB, rssMB, rows: rowCounts } = await server.usage();
    rows.push({ after, 'heap MB': heapMB.toFixed(1), 'RSS MB': rssMB.toFixed(0), 'apps kept': String(rowCounts.apps) });
  };
  await addRow('start');
  await load({ url: server.url + path, amount: 10_000 });
  await addRow('10,000 requests');
  await load({ url: server.url + path, amount: requests });
  await addRow('200,000 more requests');
  for (let registered = registrations / 4; registered <= registrations; registered += registrations / 4) {
    await load({
      url: `${server.url}/api/v1/apps`,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: 'Client', redirect_uris: 'https://client.example/callback' }),
      amount: registrations / 4,
    });
    await addRow(`${registered.toLocaleString('en')} registrations`);
  }
  printTable('Memory of the reference server, after garbage collection', rows);
}

await compareSpeed();
await followMemory();
