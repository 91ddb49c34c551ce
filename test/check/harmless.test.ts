import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { gathered } from './gathered.ts';
import { type OperatorHost, startOperatorHost } from './operator-host.ts';

interface Kept {
  host: OperatorHost;
  /** Everything that the server keeps, table by table. */
  rows: () => Record<string, unknown[]>;
  /** Bodies and credentials that were sent: `POST /oauth/token {}`. */
  sent: string[];
}

async function startKept(): Promise<Kept> {
  const folder = await mkdtemp(join(tmpdir(), 'loopscout-check-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const database = join(folder, 'server.sqlite');
  const host = await startOperatorHost({ server: { database } });
  // Its keys are made when they are first asked for, by whomever.
  await host.server.app.inject('/ap/actor');
  const sent: string[] = [];
  host.virtues.answer = (request) => {
    if (request.method !== 'POST') return false;
    const chunks: Buffer[] = [];
    // To listen would take the body from the server.
    const { push } = request;
    request.push = (chunk: Buffer | null) => {
      if (chunk === null) sent.push(`${request.method} ${request.url} ${Buffer.concat(chunks)}`);
      else chunks.push(chunk);
      return push.call(request, chunk);
    };
    return false;
  };
  const rows = () => {
    const db = new Database(database, { readonly: true });
    try {
      const tables = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
      return Object.fromEntries(tables.map((table) => [table, db.prepare(`SELECT * FROM "${table}"`).all()]));
    } finally {
      db.close();
    }
  };
  return { host, rows, sent };
}

describe('a check that is not deep', () => {
  it('leaves everything that the server keeps as it was', async () => {
    const { host, rows, sent } = await startKept();
    const before = rows();
    expect(Object.keys(before)).toEqual(expect.arrayContaining(['apps', 'tokens', 'sessions', 'codes', 'accounts']));
    const { deep } = await gathered(host);
    expect(deep).toBeNull();
    expect(rows()).toEqual(before);
    expect(sent.toSorted()).toEqual(['POST /api/v1/apps {}', 'POST /oauth/revoke {}', 'POST /oauth/token {}']);
    const others = host.requests.filter((request) => !/^(?:GET|POST) /.test(request));
    expect(others).toEqual(['OPTIONS /api/v1/config']);
  });
});

describe('a deep check', () => {
  it('registers one app that is named after us, and leaves a token that is revoked', async () => {
    const { host, rows } = await startKept();
    const before = rows();
    const { deep } = await gathered(host, { deep: true });
    const after = rows();
    expect(after.apps).toHaveLength((before.apps?.length ?? 0) + 1);
    expect(after.apps?.at(-1)).toMatchObject({ name: 'Loopscout check', website: 'https://loopscout.example' });
    expect(after.tokens).toEqual(before.tokens);
    for (const table of ['accounts', 'videos', 'sessions', 'codes']) expect(after[table]).toEqual(before[table]);

    const statuses = Object.entries(deep ?? {}).map(([step, exchange]) => [step, exchange?.status]);
    expect(Object.fromEntries(statuses)).toMatchObject({ app: 200, token: 200, revoke: 200, selfAfterRevoke: 401 });
    expect([401, 403]).toContain(deep?.self?.status);
  });

  it('keeps the secrets out of what it gathers', async () => {
    const { host } = await startKept();
    const { deep } = await gathered(host, { deep: true });
    const app = JSON.parse(new TextDecoder().decode(deep?.app.body));
    const token = JSON.parse(new TextDecoder().decode(deep?.token?.body));
    expect(app.client_id).toMatch(/^[^*]+$/);
    expect(app.client_secret).toMatch(/^\*+$/);
    expect(token).toMatchObject({ token_type: 'Bearer', access_token: expect.stringMatching(/^\*+$/) });
  });

  it('asks as the official app does where the form of the specification is refused', async () => {
    const { host, rows } = await startKept();
    const { answer } = host.virtues;
    host.virtues.answer = (request, response, family) => {
      if (request.url === '/api/v1/apps' && request.headers['content-type'] === 'application/json') {
        response.writeHead(422, { 'content-type': 'application/json' }).end('{"message":"The list is missing."}');
        return true;
      }
      return answer?.(request, response, family) ?? false;
    };
    const before = rows().apps?.length ?? 0;
    const { deep } = await gathered(host, { deep: true });
    expect(deep?.app.url).toBe('https://loops.example/api/v1/apps');
    expect(rows().apps?.length ?? 0).toBeLessThanOrEqual(before + 1);
  });

  it('registers nothing with another software', async () => {
    const host = await startOperatorHost({ server: { config: { app: { software: 'mastodon' } } } });
    const { deep } = await gathered(host, { deep: true });
    expect(deep).toBeNull();
    expect(host.requests).not.toContain('POST /api/v1/apps');
  });
});
