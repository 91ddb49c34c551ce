import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openData } from '../../../src/reference/data/open-data.ts';

/** Opens a second connection to the file. `lastUse` reads the `last_use` counter of an app. */
function openReader(file: string): Disposable & { lastUse(id: number): unknown } {
  const db = new Database(file, { readonly: true });
  const select = db.prepare('SELECT last_use FROM apps WHERE id = ?').pluck();
  return { lastUse: (id) => select.get(id), [Symbol.dispose]: () => db.close() };
}

const newApp = { name: 'App', website: '', redirectUris: ['https://a.example/'], scopes: ['read'] };

describe('apps', () => {
  it('finds an app by its client id, with all registered values', () => {
    using data = openData();
    const registration = {
      name: 'Ünï "app"',
      website: 'https://a.example',
      redirectUris: ['https://a.example/1', 'a.b:/2'],
      scopes: ['read', 'follow'],
    };
    const { app } = data.apps.register(registration, 1_234);
    expect(app).toMatchObject({ ...registration, createdAt: 1_234 });
    expect(data.apps.find(app.clientId)).toEqual(app);
    expect(data.apps.find('unknown')).toBeUndefined();
  });

  it('gives every app its own id and secret of 256 random bits', () => {
    using data = openData();
    const registrations = Array.from({ length: 50 }, () => data.apps.register(newApp, 0));
    const idsAndSecrets = registrations.flatMap(({ app, secret }) => [app.clientId, secret]);
    expect(new Set(idsAndSecrets).size).toBe(100);
    // 256 bits in base64url.
    for (const text of idsAndSecrets) expect(text).toMatch(/^[\w-]{43}$/);
  });

  it('accepts only the right secret, and none for an unknown app', () => {
    using data = openData();
    const { app, secret } = data.apps.register(newApp, 0);
    expect(data.apps.secretMatches(app, secret)).toBe(true);
    for (const wrong of [
      '',
      `${secret}x`,
      secret.slice(1),
      secret.toUpperCase(),
      '\0',
      data.apps.register(newApp, 0).secret,
    ]) {
      expect(data.apps.secretMatches(app, wrong)).toBe(false);
    }
    expect(data.apps.secretMatches(undefined, secret)).toBe(false);
  });

  it('stores no secret, code, token or session key in plain text', () => {
    const folder = mkdtempSync(join(tmpdir(), 'reference-data-'));
    const file = join(folder, 'reference.db');
    try {
      const secrets: string[] = [];
      {
        using data = openData({ database: file });
        const { app, secret } = data.apps.register(newApp, 0);
        const accountId = '1';
        data.accounts.add({ id: accountId, username: 'ada' } as Parameters<typeof data.accounts.add>[0]);
        const grant = { appId: app.id, accountId, scopes: ['read'] };
        secrets.push(
          secret,
          data.codes.issue({ ...grant, redirectUri: 'https://a.example/', challenge: null }, 600),
          data.tokens.issue({ ...grant, codeHash: null, isPublic: false, createdAt: 0, expiresAt: null }),
          data.sessions.start(accountId, 600),
        );
      }
      const stored = readFileSync(file);
      // A value that is not secret is found in the same bytes.
      expect(stored.includes('https://a.example/')).toBe(true);
      expect(secrets.filter((text) => stored.includes(text))).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('evicts the oldest unused app at the limit, with its tokens', () => {
    using data = openData({ limits: { apps: 3 } });
    const [first, second, third] = [1, 2, 3].map((now) => data.apps.register(newApp, now).app);
    if (first === undefined || second === undefined || third === undefined) throw new Error('An app is missing.');
    const token = { accountId: null, scopes: ['read'], codeHash: null, isPublic: false, createdAt: 0, expiresAt: null };
    const tokens = [first, second].map(({ id }) => data.tokens.issue({ ...token, appId: id }));
    data.apps.touch(first.id);
    const fourth = data.apps.register(newApp, 5).app;
    expect(data.apps.count()).toBe(3);
    expect([first, second, third, fourth].map(({ clientId }) => data.apps.find(clientId)?.id)).toEqual([
      first.id,
      undefined,
      third.id,
      fourth.id,
    ]);
    expect(tokens.map((text) => data.tokens.find(text, 0)?.appId)).toEqual([first.id, undefined]);
    expect(data.tokens.count()).toBe(1);
  });

  it('never evicts the newest app, even if the clock goes back or all other apps were used', () => {
    using data = openData({ limits: { apps: 2 } });
    data.apps.register(newApp, 100);
    const { app: second } = data.apps.register(newApp, 100);
    const { app: third } = data.apps.register(newApp, 1);
    expect(data.apps.find(third.clientId)).toEqual(third);
    for (const { id } of [second, third]) data.apps.touch(id);
    const { app: newest } = data.apps.register(newApp, 1);
    expect([third, newest].map(({ clientId }) => data.apps.find(clientId)?.id)).toEqual([third.id, newest.id]);
  });

  it('evicts unused apps first, however long ago the other apps were used', () => {
    using data = openData({ limits: { apps: 1_000 } });
    const { app: used } = data.apps.register(newApp, 1);
    const { app: idle } = data.apps.register(newApp, 2);
    data.apps.touch(used.id);
    for (let count = 0; count < 2_000; count += 1) data.apps.register(newApp, 3 + count);
    expect([used, idle].map(({ clientId }) => data.apps.find(clientId)?.id)).toEqual([used.id, undefined]);
    expect(data.apps.count()).toBe(1_000);
  });

  it('keeps at least a tenth of the limit for unused apps when all other apps were used', () => {
    using data = openData({ limits: { apps: 50 } });
    const usedApps = Array.from({ length: 60 }, () => {
      const { app } = data.apps.register(newApp, 1);
      data.apps.touch(app.id);
      return app;
    });
    // A tenth of the limit and the newest app.
    const unusedApps = Array.from({ length: 6 }, () => data.apps.register(newApp, 1).app);
    const isStored = ({ clientId }: { clientId: string }) => data.apps.find(clientId) !== undefined;
    expect(unusedApps.map(isStored)).toEqual([true, true, true, true, true, true]);
    // The 6 unused apps leave room for 44 used ones.
    expect(usedApps.filter(isStored)).toEqual(usedApps.slice(-44));
    data.apps.register(newApp, 1);
    expect(unusedApps.map(isStored)).toEqual([false, true, true, true, true, true]);
    expect(data.apps.count()).toBe(50);
  });

  it('never evicts an app in constant use, and rarely writes its last use', () => {
    const folder = mkdtempSync(join(tmpdir(), 'reference-data-'));
    try {
      using data = openData({ database: join(folder, 'a.db'), limits: { apps: 50 } });
      using reader = openReader(join(folder, 'a.db'));
      const { app } = data.apps.register(newApp, 1);
      const uses = new Set<unknown>();
      for (let count = 0; count < 500; count += 1) {
        data.apps.touch(app.id);
        uses.add(reader.lastUse(app.id));
        data.apps.touch(data.apps.register(newApp, 1).app.id);
      }
      expect(data.apps.find(app.clientId)).toEqual(app);
      // A use is written when more than five apps (a tenth of the limit) were used since the last write: about 83 times.
      expect(uses.size).toBeGreaterThan(50);
      expect(uses.size).toBeLessThan(110);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('takes 2,500 registrations at a limit of 1,000', () => {
    using data = openData({ limits: { apps: 1_000 } });
    for (let count = 0; count < 2_500; count += 1) data.apps.register(newApp, count);
    expect(data.apps.count()).toBe(1_000);
  });
});
