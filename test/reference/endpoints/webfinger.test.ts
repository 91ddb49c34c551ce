import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/server.ts';

interface Descriptor {
  subject: string;
  links: { rel: string; type: string; href: string }[];
}

let server: ReferenceServer;
let host: string;
beforeAll(async () => {
  server = await createReferenceServer();
  host = new URL(server.url).host;
});
afterAll(() => server.close());

const fetchResource = (resource: string) =>
  fetch(`${server.url}/.well-known/webfinger?${new URLSearchParams({ resource })}`);
const fetchSelfLink = async (resource: string) => {
  const { links } = (await (await fetchResource(resource)).json()) as Descriptor;
  return links.find(({ rel }) => rel === 'self');
};

describe('GET /.well-known/webfinger', () => {
  it('responds in application/jrd+json, with the resource as its subject', async () => {
    const response = await fetchResource(`acct:${host}@${host}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'application/jrd+json; charset=utf-8',
    ]);
    expect(await response.json()).toMatchObject({ subject: `acct:${host}@${host}` });
  });

  it('links the name of the server and the name of an account to their actors', async () => {
    const type = 'application/activity+json';
    expect(await fetchSelfLink(`acct:${host}@${host}`)).toEqual({ rel: 'self', type, href: `${server.url}/ap/actor` });
    const ada = server.state.data.accounts.findByUsername('ada');
    expect(await fetchSelfLink(`acct:ada@${host}`)).toEqual({
      rel: 'self',
      type,
      href: `${server.url}/ap/users/${ada?.id}`,
    });
  });

  it('matches account and host in any case, and returns the canonical name', async () => {
    const { url } = server.state;
    server.state.url = 'https://loops.example';
    const response = await fetchResource('ACCT:Mei_Lin@LOOPS.example');
    server.state.url = url;
    expect(await response.json()).toMatchObject({ subject: 'acct:mei_lin@loops.example' });
  });

  it.each(['nobody', 'rune', 'rune@clips.example'])(
    'responds with 404 in JSON for %s, which is not a local account',
    async (name) => {
      const response = await fetchResource(`acct:${name}@${host}`);
      expect([response.status, await response.json()]).toEqual([404, { message: 'Not Found.' }]);
    },
  );

  it.each(['acct:ada@elsewhere.example', 'ada', 'acct:ada', 'https://elsewhere.example/@ada', '@'])(
    'responds with 404 for %s, which is not a resource of this server',
    async (resource) => {
      expect((await fetchResource(resource)).status).toBe(404);
    },
  );

  it.each(['', '?resource=', '?resource=a&resource=b', '?rel=self'])(
    'responds with 400 to "%s", which does not name exactly one resource',
    async (query) => {
      const response = await fetch(`${server.url}/.well-known/webfinger${query}`);
      expect([response.status, await response.json()]).toEqual([400, { message: 'One resource must be named.' }]);
    },
  );

  it('works while federation is off in the profile spec, but responds with 404 in the profile live', async () => {
    server.state.config.federation = false;
    expect((await fetchResource(`acct:ada@${host}`)).status).toBe(200);
    server.state.profile = 'live';
    expect((await fetchResource(`acct:ada@${host}`)).status).toBe(404);
    expect((await fetchResource('')).status).toBe(404);
    server.state.config.federation = true;
    expect((await fetchResource(`acct:ada@${host}`)).status).toBe(200);
    server.state.profile = 'spec';
  });

  it('responds with 404 for an account while the URL of the server is invalid', async () => {
    const { url } = server.state;
    server.state.url = 'nowhere';
    const response = await fetch(`${url}/.well-known/webfinger?resource=acct:ada@${host}`);
    server.state.url = url;
    expect(response.status).toBe(404);
  });
});
