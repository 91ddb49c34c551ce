import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/server.ts';
import { ANY_CHARACTER } from '../../any-character.ts';
import {
  authorizeQuery,
  createConsentVisitor,
  exchangeOf,
  postJson,
  type RegisteredApp,
  register,
} from '../consent-visitor.ts';

const registered = ['https://client.example/callback', 'https://client.example/other?a=b', 'http://127.0.0.1:4321/cb'];

let server: ReferenceServer;
let app: RegisteredApp;
beforeAll(async () => {
  server = await createReferenceServer();
  app = await register(server, { redirect_uris: registered });
});
afterAll(async () => server.close());

const open = (redirect_uri: string) => createConsentVisitor(server).open(authorizeQuery(app, { redirect_uri }));

describe('a redirect URI', () => {
  it.each<[trick: string, uri: string]>([
    ['with a suffix', 'https://client.example/callback.evil.example'],
    ['with a longer host', 'https://client.example.evil.example/callback'],
    ['with a shorter host', 'https://example/callback'],
    ['with a subdomain', 'https://a.client.example/callback'],
    ['with a longer path', 'https://client.example/callback/more'],
    ['with a shorter path', 'https://client.example/'],
    ['with a slash at the end', 'https://client.example/callback/'],
    ['with dot segments', 'https://client.example/x/../callback'],
    ['with encoded dot segments', 'https://client.example/callback/%2e%2e/evil'],
    ['with a path parameter', 'https://client.example/callback;x=y'],
    ['with userinfo', 'https://client.example@evil.example/callback'],
    ['with userinfo before the right host', 'https://evil@client.example/callback'],
    ['with a backslash', 'https://evil.example\\@client.example/callback'],
    ['with a fragment', 'https://client.example/callback#'],
    ['with a fragment that contains another URI', 'https://client.example/callback#@evil.example'],
    ['with a query', 'https://client.example/callback?next=https://evil.example'],
    ['without its query', 'https://client.example/other'],
    ['with another query', 'https://client.example/other?a=c'],
    ['with a longer query', 'https://client.example/other?a=b&redirect=https://evil.example'],
    ['with the scheme in capitals', 'HTTPS://client.example/callback'],
    ['with a capital letter in the host', 'https://Client.example/callback'],
    ['with a capital letter in the path', 'https://client.example/Callback'],
    ['with http instead of https', 'http://client.example/callback'],
    ['with the default port written out', 'https://client.example:443/callback'],
    ['with another port', 'https://client.example:444/callback'],
    ['with another loopback port and path', 'http://127.0.0.1:4322/cb2'],
    ['with an invalid loopback port', 'http://127.0.0.1:65536/cb'],
    ['with another host behind a loopback address', 'http://127.0.0.1:4321.evil.example/cb'],
    ['with a loopback address as userinfo', 'http://127.0.0.1:4321@evil.example/cb'],
    ['with another loopback address', 'http://[::1]:4321/cb'],
    ['with localhost instead of 127.0.0.1', 'http://localhost:4321/cb'],
    ['with 127.0.0.1 in another notation', 'http://127.1:4321/cb'],
    ['with a dot after the host', 'https://client.example./callback'],
    ['with equivalent percent-encoding', 'https://client.example/c%61llback'],
    ['with a leading space', ' https://client.example/callback'],
    ['with a trailing line break', 'https://client.example/callback\n'],
    ['with a trailing NUL', 'https://client.example/callback\0'],
    ['with a NUL and another host', 'https://client.example/callback\0.evil.example'],
    ['that is relative', '/callback'],
    ['without a scheme', '//client.example/callback'],
    ['with the scheme javascript', 'javascript:alert(1)//https://client.example/callback'],
    ['with the scheme data', 'data:text/html,https://client.example/callback'],
    ['that is two URIs separated by a line break', `${registered[0]}\n${registered[1]}`],
    ['that is two URIs separated by a space', `${registered[0]} ${registered[1]}`],
    ['that is out of band, which this app has not registered', 'urn:ietf:wg:oauth:2.0:oob'],
    ['of another site (an open redirect)', 'https://evil.example/'],
    ['that is empty', ''],
  ])('%s is answered with a page, never a redirect', async (_trick, uri) => {
    const { status, headers, text } = await open(uri);
    expect([status, headers.get('location'), text.includes('evil')]).toEqual([400, null, false]);
  });

  it('that is not registered is not used to report other errors of the request', async () => {
    const changes = { redirect_uri: 'https://evil.example/', response_type: 'token', scope: 'admin', state: 's' };
    const { status, headers } = await createConsentVisitor(server).open(authorizeQuery(app, changes));
    expect([status, headers.get('location')]).toEqual([400, null]);
  });

  it.each(['http://127.0.0.1:1/cb', 'http://127.0.0.1:65535/cb', 'http://127.0.0.1/cb'])(
    'on a loopback address may have any port or none (RFC 8252 section 7.3), which the exchange must repeat: %s',
    async (uri) => {
      const visitor = createConsentVisitor(server);
      const { headers } = await visitor.approve(authorizeQuery(app, { redirect_uri: uri }));
      const location = headers.get('location') ?? '';
      expect(location.startsWith(`${uri}?code=`)).toBe(true);
      const code = new URL(location).searchParams.get('code') ?? '';
      const exchange = (redirect_uri: string) =>
        postJson(`${server.url}/oauth/token`, exchangeOf(app, code, { redirect_uri }));
      expect((await exchange('http://127.0.0.1:4321/cb')).json.error).toBe('invalid_grant');
      expect((await exchange(uri)).status).toBe(200);
    },
  );

  it('of another app is refused', async () => {
    await register(server, { redirect_uris: 'https://other.example/cb' });
    const { status, headers } = await open('https://other.example/cb');
    expect([status, headers.get('location')]).toEqual([400, null]);
  });

  it('that is registered is accepted, and the token endpoint accepts only the URI of the authorization', async () => {
    for (const uri of registered) expect((await open(uri)).status).toBe(200);
    const code = await createConsentVisitor(server).codeFor(authorizeQuery(app, { redirect_uri: registered[0] }));
    for (const wrong of [registered[1], `${registered[0]}/`, registered[0]?.toUpperCase(), `${registered[0]}#`]) {
      const { json } = await postJson(`${server.url}/oauth/token`, exchangeOf(app, code, { redirect_uri: wrong }));
      expect(json.error).toBe('invalid_grant');
    }
    const right = exchangeOf(app, code, { redirect_uri: registered[0] });
    expect((await postJson(`${server.url}/oauth/token`, right)).status).toBe(200);
  });

  it('that differs from a registered one by a single random edit is refused', async () => {
    const [uri = ''] = registered;
    const edit = fc.record({
      at: fc.nat({ max: uri.length }),
      remove: fc.nat({ max: 3 }),
      insert: fc.string({ maxLength: 4, unit: ANY_CHARACTER }),
    });
    await fc.assert(
      fc.asyncProperty(edit, async ({ at, remove, insert }) => {
        const changed = uri.slice(0, at) + insert + uri.slice(at + remove);
        // A text that is not well-formed cannot be percent-encoded.
        fc.pre(changed !== uri && changed.isWellFormed());
        const query = authorizeQuery(app, { redirect_uri: changed });
        const { statusCode, headers } = await server.app.inject({ url: `/oauth/authorize?${query}` });
        expect([statusCode, headers.location]).toEqual([400, undefined]);
      }),
      { numRuns: 60 },
    );
  });
});
