import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/server.ts';
import { findTarget } from './find-target.ts';
import { randomRequest, requestBytes, type Target } from './random-request.ts';

const requestsPerRound = 500;
const injectedCount = 2_000;
const rawCount = 1_500;

let servers: ReferenceServer[];

beforeAll(async () => {
  const small = { limits: { apps: 200, codes: 200, tokens: 200, sessions: 200 } };
  servers = await Promise.all([
    createReferenceServer(small),
    createReferenceServer({ profile: 'live', rateLimit: null, ...small }),
  ]);
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
});

/** The problem of a response, or null. */
function problemOf(status: number, contentType: string, body: string, hasBody: boolean): string | null {
  if (status < 200 || status > 499) return `status ${status}`;
  if (/node_modules|\.ts:\d+|\bSQLITE_/.test(body)) return 'reveals internals';
  if (!hasBody || !/^application\/(?:[\w.]+\+)?json\b/.test(contentType)) return null;
  try {
    JSON.parse(body);
    return null;
  } catch {
    return 'invalid JSON';
  }
}

async function expectAlive(): Promise<void> {
  for (const { url } of servers) {
    const config = await fetch(`${url}/api/v1/config`);
    expect(config.status).toBe(200);
    expect(await config.json()).toMatchObject({ app: { software: 'loops' } });
  }
}

/** Sends the bytes, ends the stream, and reads until the server closes the connection. */
function exchange(server: ReferenceServer, bytes: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.setTimeout(15_000, () => {
      socket.destroy();
      reject(new Error(`The connection was silent for 15 s after ${JSON.stringify(bytes.toString('latin1'))}`));
    });
    socket.on('data', (chunk) => chunks.push(chunk));
    // A server that refuses an incomplete request may reset the connection. The bytes before the reset are used.
    socket.on('error', () => {});
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
    socket.end(bytes);
  });
}

/** Tries `count` requests in rounds, each with a new code and new tokens, because requests use them up. */
async function assertInRounds(count: number, property: (target: Target) => fc.IAsyncProperty<unknown>): Promise<void> {
  const [first] = servers as [ReferenceServer];
  for (let tried = 0; tried < count; tried += requestsPerRound) {
    const numRuns = Math.min(requestsPerRound, count - tried);
    await fc.assert(property(await findTarget(first)), { numRuns, timeout: 10_000 });
  }
  await expectAlive();
}

describe(`${injectedCount + rawCount} random requests`, () => {
  it(`passed to the app get no status of 500 or above, and only valid JSON (${injectedCount} requests)`, {
    timeout: 60_000,
  }, async () => {
    const countByStatus = new Map<number, number>();
    await assertInRounds(injectedCount, (target) =>
      fc.asyncProperty(randomRequest(target), fc.nat(3), async ({ method, url, headers, body }, choice) => {
        // Three quarters go to the first server, whose ids and tokens the requests contain.
        const { app } = servers[choice === 0 ? 1 : 0] as ReferenceServer;
        const answer = await app.inject({
          method: method as 'GET',
          // `inject` accepts only paths. The next test sends the other targets.
          url: url.startsWith('/') && URL.canParse(url, 'http://localhost') ? url : '/',
          headers,
          ...(body.length > 0 ? { payload: body } : {}),
        });
        const { statusCode: status } = answer;
        countByStatus.set(status, (countByStatus.get(status) ?? 0) + 1);
        const hasBody = method !== 'HEAD' && status !== 204 && status !== 304;
        const problem = problemOf(status, String(answer.headers['content-type'] ?? ''), answer.body, hasBody);
        expect(problem, answer.body.slice(0, 500)).toBeNull();
      }),
    );
    // Only a form with a valid token gets 303.
    expect([...countByStatus.keys()]).toEqual(expect.arrayContaining([200, 303, 400, 401, 403, 404, 405, 415, 422]));
    expect(countByStatus.get(200)).toBeGreaterThan(injectedCount / 40);
  });

  it(`sent as bytes get no status of 500 or above, and the connection ends (${rawCount} requests)`, {
    timeout: 60_000,
  }, async () => {
    let answered = 0;
    await assertInRounds(rawCount, (target) =>
      fc.asyncProperty(requestBytes(target), fc.nat(1), async (bytes, choice) => {
        const answer = await exchange(servers[choice] as ReferenceServer, bytes);
        const statuses = [...answer.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
        if (statuses.length > 0) answered++;
        expect(statuses.filter((status) => status >= 500)).toEqual([]);
      }),
    );
    expect(answered).toBeGreaterThan(rawCount / 2);
  });
});
