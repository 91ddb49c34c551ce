import { createPublicKey } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '../../../src/reference/resources.ts';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/server.ts';

let server: ReferenceServer;
beforeAll(async () => {
  server = await createReferenceServer();
});
afterAll(() => server.close());

const read = async (path: string, from = server) => (await (await fetch(from.url + path)).json()) as Actor;

describe('GET /ap/actor', () => {
  it('sends the actor of the server, in application/activity+json, named after the host of the server', async () => {
    const response = await fetch(`${server.url}/ap/actor`);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'application/activity+json; charset=utf-8',
    ]);
    const id = `${server.url}/ap/actor`;
    expect(await response.json()).toMatchObject({
      '@context': ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/v1'],
      id,
      type: 'Application',
      preferredUsername: new URL(server.url).host,
      inbox: `${id}/inbox`,
      endpoints: { sharedInbox: `${server.url}/ap/inbox` },
      publicKey: { id: `${id}#main-key`, owner: id },
    });
  });

  it('sends an RSA key, the same for concurrent requests and for every actor', async () => {
    const paths = ['/ap/actor', '/ap/actor', `/ap/users/${server.state.data.accounts.findByUsername('ada')?.id}`];
    const actors = await Promise.all(paths.map((path) => read(path)));
    const keys = new Set(actors.map(({ publicKey }) => publicKey.publicKeyPem));
    expect(keys.size).toBe(1);
    const key = createPublicKey([...keys].join());
    expect([key.asymmetricKeyType, key.asymmetricKeyDetails?.modulusLength]).toEqual(['rsa', 2048]);
  });

  it('stores its key in the database file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'actor-'));
    const database = join(folder, 'kept.sqlite');
    const keyOf = async () => {
      await using persistent = await createReferenceServer({ database });
      return (await read('/ap/actor', persistent)).publicKey.publicKeyPem;
    };
    expect(await keyOf()).toBe(await keyOf());
    await rm(folder, { recursive: true });
  });

  it('is hidden while federation is off, but only in the profile live', async () => {
    server.state.config.federation = false;
    expect((await fetch(`${server.url}/ap/actor`)).status).toBe(200);
    server.state.profile = 'live';
    const response = await fetch(`${server.url}/ap/actor`);
    expect([response.status, await response.json()]).toEqual([404, { message: 'Not Found.' }]);
    server.state.config.federation = true;
    server.state.profile = 'spec';
  });

  it('responds with 404 in JSON to other paths below /ap/, even in the profile live', async () => {
    server.state.profile = 'live';
    for (const path of ['/ap/outbox', '/ap/actor/outbox', '/ap/users/1']) {
      const response = await fetch(server.url + path);
      expect([path, response.status, await response.json()]).toEqual([path, 404, { message: 'Not Found.' }]);
    }
    // Not below /ap/: the web app answers.
    expect((await fetch(`${server.url}/apples`)).status).toBe(200);
    server.state.profile = 'spec';
  });
});

describe('GET /ap/users/{id}', () => {
  it('sends the actor of a local account', async () => {
    const noor = server.state.data.accounts.findByUsername('noor');
    expect(await read(`/ap/users/${noor?.id}`)).toMatchObject({
      id: `${server.url}/ap/users/${noor?.id}`,
      type: 'Person',
      preferredUsername: 'noor',
      name: noor?.name,
      url: `${server.url}/@noor`,
      manuallyApprovesFollowers: true,
    });
  });

  it('responds with 404 for a remote account', async () => {
    const rune = server.state.data.accounts.findByUsername('rune@clips.example');
    expect(rune?.local).toBe(false);
    expect((await fetch(`${server.url}/ap/users/${rune?.id}`)).status).toBe(404);
  });
});
