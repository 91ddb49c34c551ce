import { describe, expect, it } from 'vitest';
import { giveToken } from '../../../src/reference/give-token.ts';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/server.ts';
import { authorizeQuery, callback, exchangeOf, outOfBand, postJson, register } from '../consent-visitor.ts';

const open = (server: ReferenceServer, query: string) =>
  fetch(`${server.url}/oauth/authorize?${query}`, { redirect: 'manual' });

async function usernameOf(server: ReferenceServer, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${server.url}/api/v1/account/info/self`, { headers });
  return ((await answer.json()) as { data: { username: string } }).data.username;
}

describe('autoApprove', () => {
  it('redirects an authorization request at once, with a code for the account', async () => {
    await using server = await createReferenceServer({ autoApprove: 'noor' });
    const app = await register(server);
    const answer = await open(server, authorizeQuery(app, { state: 's' }));
    const location = new URL(answer.headers.get('location') ?? '');
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([303, null]);
    expect(location.href.startsWith(`${callback}?code=`)).toBe(true);
    expect(Object.fromEntries(location.searchParams)).toMatchObject({ iss: server.url, state: 's' });
    const code = location.searchParams.get('code') ?? '';
    const { json } = await postJson(`${server.url}/oauth/token`, exchangeOf(app, code));
    expect(await usernameOf(server, String(json.access_token))).toBe('noor');
  });

  it('redirects a faulty request with its error, and shows a page when there is nowhere to redirect to', async () => {
    await using server = await createReferenceServer({ autoApprove: 'ada' });
    const app = await register(server, { redirect_uris: [callback, outOfBand] });
    const faulty = await open(server, authorizeQuery(app, { scope: 'admin' }));
    const location = new URL(faulty.headers.get('location') ?? '');
    expect(location.searchParams.get('error_description')).toBe(
      'The scope admin is unknown; the scopes are read, write and follow.',
    );
    const code = await open(server, authorizeQuery(app, { redirect_uri: outOfBand }));
    expect([code.status, await code.text()]).toEqual([200, expect.stringContaining('id="code"')]);
    const refused = await open(server, authorizeQuery(app, { redirect_uri: 'https://evil.example/' }));
    expect([refused.status, refused.headers.get('location')]).toEqual([400, null]);
  });

  it('can be changed while the server runs', async () => {
    await using server = await createReferenceServer();
    const query = authorizeQuery(await register(server));
    expect((await open(server, query)).status).toBe(200);
    server.state.autoApprove = 'ada';
    expect((await open(server, query)).status).toBe(303);
    server.state.autoApprove = null;
    expect((await open(server, query)).status).toBe(200);
  });

  it.each(['nobody', 'rune@clips.example'])('must be a local account, which %s is not', async (autoApprove) => {
    const message = `the options: autoApprove is "${autoApprove}"; allowed: null, `;
    await expect(createReferenceServer({ autoApprove })).rejects.toThrow(message);
    await using server = await createReferenceServer();
    expect(() => {
      server.state.autoApprove = autoApprove;
    }).toThrow('ada, noor');
  });
});

describe('giveToken', () => {
  it('returns a token like a response of POST /oauth/token, by default for ada with every scope', async () => {
    await using server = await createReferenceServer();
    const token = giveToken(server);
    expect(token).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      token_type: 'Bearer',
      scope: 'read write follow',
      created_at: expect.any(Number),
    });
    expect(await usernameOf(server, token.access_token)).toBe('ada');
  });

  it('issues a token for another account, scope and app, which expires and is revoked like any other', async () => {
    let now = Date.now();
    await using server = await createReferenceServer({ lifetimes: { token: 60 }, now: () => now }); // seconds
    const { client_id: clientId, client_secret } = await register(server);
    const token = giveToken(server, { username: 'noor', scopes: ['read'], clientId });
    expect(token).toMatchObject({ scope: 'read' });
    expect(await usernameOf(server, token.access_token)).toBe('noor');
    now += 60_000;
    expect(server.state.data.tokens.find(token.access_token, now)).toBeUndefined();
    const second = giveToken(server, { clientId }).access_token;
    expect(server.state.data.tokens.find(second, now)).toBeDefined();
    await postJson(`${server.url}/oauth/revoke`, { client_id: clientId, client_secret, token: second });
    expect(server.state.data.tokens.find(second, now)).toBeUndefined();
  });

  it('refuses an unknown account or app', async () => {
    await using server = await createReferenceServer();
    expect(() => giveToken(server, { username: 'nobody' })).toThrow('no local account with the username nobody');
    expect(() => giveToken(server, { clientId: 'none' })).toThrow('no app with the client_id none');
  });
});
