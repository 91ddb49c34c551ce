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

describe('a check', () => {
  it('leaves everything that the server keeps as it was', async () => {
    const { host, rows, sent } = await startKept();
    const before = rows();
    expect(Object.keys(before)).toEqual(expect.arrayContaining(['apps', 'tokens', 'sessions', 'codes', 'accounts']));
    await gathered(host);
    expect(rows()).toEqual(before);
    expect(sent.toSorted()).toEqual(['POST /api/v1/apps {}', 'POST /oauth/revoke {}', 'POST /oauth/token {}']);
    const others = host.requests.filter((request) => !/^(?:GET|POST) /.test(request));
    expect(others).toEqual(['OPTIONS /api/v1/config']);
  });
});
