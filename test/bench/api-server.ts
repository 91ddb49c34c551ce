import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import Fastify from 'fastify';
import { createLogger } from '../../src/logger.ts';
import { listen } from '../../src/service/web-server.ts';
import { loadSettings } from '../../src/settings/settings.ts';
import { openStore } from '../../src/store/open-store.ts';
import { factsOf } from '../api/fill-store.ts';
import { loopsVisit, recordedVisit } from '../store/sample-visit.ts';

/**
 * Child process with one server: the API over a database, the API with visits recorded on its thread, or bare Fastify that serves
 * the responses in a file. It sends its base URL, then responds to every message with its resource usage so far.
 */
export type ApiServerKind = 'api' | 'api-and-crawl' | 'bare';

export interface ApiServerUsage {
  cpuMs: number;
  rssMB: number;
  heapMB: number;
  /** Event loop delay since the previous message, in milliseconds. */
  delayP99Ms: number;
  delayMaxMs: number;
  visits: number;
}

/** Responses of the bare server. */
export interface BareAnswers {
  list: { path: string; body: string; etag: string };
  detail: { path: string; body: string };
}

const [, , kind = 'api', file = ''] = process.argv as [string, string, ApiServerKind, string];
const VISITS_PER_SECOND = 200;
let visits = 0;

async function startBare(): Promise<string> {
  const { list, detail } = JSON.parse(readFileSync(file, 'utf8')) as BareAnswers;
  const app = Fastify({ forceCloseConnections: true });
  const type = 'application/json; charset=utf-8';
  app.get(list.path, (request, reply) => {
    if (request.headers['if-none-match'] === list.etag) return reply.code(304).header('etag', list.etag).send();
    return reply.type(type).send(list.body);
  });
  app.get(detail.path, (_request, reply) => reply.type(type).send(detail.body));
  process.once('disconnect', () => app.close());
  return app.listen({ host: '127.0.0.1', port: 0 });
}

async function startApi(): Promise<string> {
  const settings = loadSettings({
    file: null,
    env: {},
    cwd: '/',
    flags: { database: file, serve: { port: 0, ratePerMinute: 0 } },
  });
  const logger = createLogger({ level: 'error', stream: process.stderr });
  const http = await listen({ settings, logger, health: () => ({ status: 'ok' }) });
  process.once('disconnect', () => http[Symbol.asyncDispose]());
  return http.url;
}

/** Records some visits every 50 ms, like the batches of a crawl. */
async function crawl(): Promise<void> {
  const store = await openStore({ path: file });
  process.once('disconnect', () => store[Symbol.asyncDispose]());
  while (process.connected) {
    const at = Date.now();
    // By then, every domain is due.
    const dueAt = at + 100 * 24 * 3_600_000;
    const picked = store.due.pick(VISITS_PER_SECOND / 20, dueAt);
    const results = picked.map((one, index) => {
      const facts = factsOf(index + visits, at);
      return recordedVisit(one, at, loopsVisit(one.record.domain, at, { version: facts.version, facts }));
    });
    visits += results.length - store.visits.record(results).length;
    await delay(50);
  }
}

const url = kind === 'bare' ? await startBare() : await startApi();
if (kind === 'api-and-crawl') void crawl();
const lag = monitorEventLoopDelay({ resolution: 5 });
lag.enable();
process.on('message', () => {
  globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const { heapUsed, rss } = process.memoryUsage();
  process.send?.({
    cpuMs: (user + system) / 1_000,
    rssMB: rss / 2 ** 20,
    heapMB: heapUsed / 2 ** 20,
    delayP99Ms: lag.percentile(99) / 1e6,
    delayMaxMs: lag.max / 1e6,
    visits,
  } satisfies ApiServerUsage);
  lag.reset();
});
process.send?.(url);
await once(process, 'disconnect');
