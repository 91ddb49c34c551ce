import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deepMerge } from '../../../src/reference/deep-merge.ts';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/server.ts';
import { jsonType, objectWith, valueAt } from '../value-at.ts';

let server: ReferenceServer;
beforeAll(async () => {
  server = await createReferenceServer();
});
afterAll(() => server.close());

const read = async (path: string) => (await fetch(server.url + path)).json() as Promise<unknown>;

/** Each field: name, type in the specification, and a different value to set. */
const fields: [field: string, type: string, changed: unknown][] = [
  ['version', 'string', '2.2'],
  ['software.name', 'string', 'other'],
  ['software.version', 'string', '9.9.9'],
  ['protocols', 'array', ['activitypub', 'other']],
  ['services.inbound', 'array', ['atom1.0']],
  ['services.outbound', 'array', ['rss2.0']],
  ['openRegistrations', 'boolean', false],
  ['usage.users.total', 'integer', 1],
  ['usage.localPosts', 'integer', 2],
  ['metadata', 'object', { nodeName: 'Other', nodeDescription: '', more: [1] }],
];

describe('GET /.well-known/nodeinfo', () => {
  it.each(['rel', 'href'])('sends links[].%s as a string, and nothing but rel and href', async (field) => {
    const document = await read('/.well-known/nodeinfo');
    expect(Object.keys(document as object)).toEqual(['links']);
    const links = valueAt(document, 'links') as object[];
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) {
      expect(Object.keys(link).sort()).toEqual(['href', 'rel']);
      expect(jsonType(valueAt(link, field))).toBe('string');
    }
  });

  it('has an entry whose rel ends with /schema/2.0 and whose href works unchanged', async () => {
    const { links } = (await read('/.well-known/nodeinfo')) as { links: { rel: string; href: string }[] };
    const link = links.find(({ rel }) => rel.endsWith('/schema/2.0'));
    const response = await fetch(link?.href ?? '');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(await response.json()).toMatchObject({ version: '2.0', software: { name: 'loops' } });
  });

  it('builds its links on the URL of the server', async () => {
    const { url } = server.state;
    server.state.url = 'https://loops.example';
    const document = await read('/.well-known/nodeinfo');
    server.state.url = url;
    expect(valueAt(document, 'links[0].href')).toBe('https://loops.example/nodeinfo/2.0');
  });
});

describe('the NodeInfo document', () => {
  it.each(fields)('sends %s with its type and follows a change of it', async (field, type, changed) => {
    const value = valueAt(await read('/nodeinfo/2.0'), field);
    expect(jsonType(value)).toBe(type);
    expect(changed).not.toEqual(value);
    server.state.nodeInfo = objectWith(field, changed);
    expect(valueAt(await read('/nodeinfo/2.0'), field)).toEqual(changed);
    server.state.nodeInfo = {};
  });

  it.each(['2.0', '2.1'])('names its schema in the content type in the profile live: %s', async (version) => {
    await using live = await createReferenceServer({ profile: 'live' });
    const answer = await fetch(`${live.url}/nodeinfo/${version}`);
    expect(answer.headers.get('content-type')).toBe(
      `application/json; profile="http://nodeinfo.diaspora.software/ns/schema/${version}#"`,
    );
    expect(await answer.json()).toMatchObject({ version, software: { name: 'loops' } });
  });

  it('takes the software, version and registration from config, and names the protocol activitypub', async () => {
    const before = server.state.config;
    server.state.config = deepMerge(before, { app: { software: 'other', version: '0.1' }, registration: false });
    expect(await read('/nodeinfo/2.0')).toMatchObject({
      software: { name: 'other', version: '0.1' },
      openRegistrations: false,
      protocols: ['activitypub'],
    });
    server.state.config = before;
  });

  it('counts the seeded local accounts and videos by default', async () => {
    const { accounts, videos } = server.state.data;
    expect(valueAt(await read('/nodeinfo/2.0'), 'usage')).toMatchObject({
      users: { total: accounts.all().filter(({ local }) => local).length },
      localPosts: videos.all().filter(({ is_local }) => is_local).length,
    });
  });

  it('sends the current counts of state.usage', async () => {
    server.state.usage = { users: { total: 5 }, localPosts: 6 };
    expect(valueAt(await read('/nodeinfo/2.0'), 'usage')).toEqual({ users: { total: 5 }, localPosts: 6 });
  });

  it('has exactly the specified keys at its top', async () => {
    expect(Object.keys((await read('/nodeinfo/2.0')) as object).sort()).toEqual(
      ['version', 'software', 'protocols', 'services', 'openRegistrations', 'usage', 'metadata'].sort(),
    );
  });
});
