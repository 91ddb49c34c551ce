import { once } from 'node:events';
import Fastify from 'fastify';
import { createReferenceServer, type ReferenceServer } from '../../src/reference/server.ts';

/**
 * Child process with one server: the reference server, or bare Fastify that serves config from an object that it serializes or from
 * a finished string. It sends its base URL, then responds to every message with its resource usage so far.
 */
export type ServerKind = 'reference' | 'bare-object' | 'bare-string';

/** Resource usage, with the memory after a garbage collection. */
export interface Usage {
  cpuMs: number;
  heapMB: number;
  rssMB: number;
  /** Rows in each table. */
  rows: Readonly<Record<'apps' | 'codes' | 'tokens' | 'sessions', number>>;
}

const configPath = '/api/v1/config';

async function listen(kind: ServerKind, reference: ReferenceServer): Promise<string> {
  if (kind === 'reference') return reference.url;
  const document: unknown = await (await fetch(reference.url + configPath)).json();
  const text = JSON.stringify(document);
  const app = Fastify({ forceCloseConnections: true });
  if (kind === 'bare-object') app.get(configPath, async () => document);
  else app.get(configPath, (_request, reply) => reply.type('application/json; charset=utf-8').send(text));
  process.once('disconnect', () => app.close());
  return app.listen({ host: '127.0.0.1', port: 0 });
}

function usage({ state }: ReferenceServer): Usage {
  globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const { heapUsed, rss } = process.memoryUsage();
  const { apps, codes, tokens, sessions } = state.data;
  return {
    cpuMs: (user + system) / 1_000,
    heapMB: heapUsed / 2 ** 20,
    rssMB: rss / 2 ** 20,
    rows: { apps: apps.count(), codes: codes.count(), tokens: tokens.count(), sessions: sessions.count() },
  };
}

await using reference = await createReferenceServer();
const url = await listen(process.argv[2] as ServerKind, reference);
process.on('message', () => process.send?.(usage(reference)));
process.send?.(url);
await once(process, 'disconnect');
