import { describe, expect, it } from 'vitest';
import { createReferenceServer } from '../../src/reference/index.ts';

type Json = { [key: string]: Json } & Json[];
const json = async (url: string): Promise<Json> => (await fetch(url)).json() as Promise<Json>;

describe('createReferenceServer', () => {
  it('serves every field of the configuration resource, of the specified type', async () => {
    await using server = await createReferenceServer();
    expect(await json(`${server.url}/api/v1/config`)).toEqual({
      app: {
        name: expect.any(String),
        url: server.url,
        description: expect.any(String),
        software: 'loops',
        version: '1.0.0-beta.14',
      },
      media: { max_video_size: 40, max_video_duration: 180, allowed_video_formats: ['mp4'] },
      fyf: true,
      registration: true,
      registration_mode: 'open',
      federation: true,
      pushNotifications: false,
      starterKits: true,
      atomFeeds: true,
      hasGifProvider: false,
      account: { max_bio_length: 500 },
    });
  });

  it('leads from the discovery document to a NodeInfo document that names the software', async () => {
    await using server = await createReferenceServer();
    const discovery = await json(`${server.url}/.well-known/nodeinfo`);
    expect(discovery).toEqual({
      links: [{ rel: 'http://nodeinfo.diaspora.software/ns/schema/2.0', href: `${server.url}/nodeinfo/2.0` }],
    });
    expect(await json(`${discovery.links?.[0]?.href}`)).toEqual({
      version: '2.0',
      software: { name: 'loops', version: '1.0.0-beta.14' },
      protocols: ['activitypub'],
      services: { inbound: [], outbound: [] },
      openRegistrations: true,
      usage: { users: { total: 12, activeMonth: 5, activeHalfyear: 9 }, localPosts: 48 },
      metadata: { nodeName: 'Loops Reference', nodeDescription: expect.any(String) },
    });
  });

  it('lays options over the defaults at every depth', async () => {
    await using server = await createReferenceServer({
      config: { app: { version: '9.0.0' }, media: { allowed_video_formats: ['webm'] } },
      missingConfigKeys: ['account'],
      usage: { users: { total: 3 } },
      nodeInfo: { openRegistrations: false },
    });
    const config = await json(`${server.url}/api/v1/config`);
    expect(config.app).toMatchObject({ software: 'loops', version: '9.0.0' });
    expect(config.media).toEqual({ max_video_size: 40, max_video_duration: 180, allowed_video_formats: ['webm'] });
    expect(config).not.toHaveProperty('account');
    expect(await json(`${server.url}/nodeinfo/2.0`)).toMatchObject({
      software: { name: 'loops', version: '9.0.0' },
      usage: { users: { total: 3, activeMonth: 5 } },
      openRegistrations: false,
    });
  });

  it('shows a change of its state in the next answer', async () => {
    await using server = await createReferenceServer();
    server.state.config.media.max_video_size = 80;
    server.state.config.registration_mode = 'curated';
    server.state.usage.localPosts = 7;
    server.state.nodeInfo = { software: { version: '0.1' } };
    expect(await json(`${server.url}/api/v1/config`)).toMatchObject({
      media: { max_video_size: 80 },
      registration_mode: 'curated',
    });
    expect(await json(`${server.url}/nodeinfo/2.0`)).toMatchObject({
      software: { version: '0.1' },
      usage: { localPosts: 7 },
    });
  });

  it('answers unknown routes with 404 and a message', async () => {
    await using server = await createReferenceServer();
    for (const path of ['/', '/api/v1/unknown', '/nodeinfo/2.1', '/robots.txt']) {
      const response = await fetch(server.url + path);
      expect([path, response.status, await response.json()]).toEqual([path, 404, { message: 'Not Found.' }]);
    }
  });

  it('stops listening when closed, and may be closed again', async () => {
    const server = await createReferenceServer();
    await json(`${server.url}/api/v1/config`);
    await server.close();
    await server.close();
    await expect(fetch(server.url)).rejects.toThrow();
  });

  it('throws when the port is taken', async () => {
    await using server = await createReferenceServer();
    await expect(createReferenceServer({ port: Number(new URL(server.url).port) })).rejects.toThrow('EADDRINUSE');
  });
});

describe('the profile live', () => {
  it('writes hasKlipy for hasGifProvider and links 2.1 after 2.0', async () => {
    await using server = await createReferenceServer({ profile: 'live', config: { hasGifProvider: true } });
    const config = await json(`${server.url}/api/v1/config`);
    expect(config.hasKlipy).toBe(true);
    expect(config).not.toHaveProperty('hasGifProvider');
    const { links } = await json(`${server.url}/.well-known/nodeinfo`);
    expect(links?.map(({ href }) => href)).toEqual([`${server.url}/nodeinfo/2.0`, `${server.url}/nodeinfo/2.1`]);
    expect(await json(`${server.url}/nodeinfo/2.1`)).toMatchObject({ version: '2.1', software: { name: 'loops' } });
  });

  it('hides NodeInfo while federation is off', async () => {
    await using server = await createReferenceServer({ profile: 'live', config: { federation: false } });
    const paths = ['/.well-known/nodeinfo', '/nodeinfo/2.0', '/nodeinfo/2.1'];
    const statuses = async () => Promise.all(paths.map(async (path) => (await fetch(server.url + path)).status));
    expect(await statuses()).toEqual([404, 404, 404]);
    server.state.config.federation = true;
    expect(await statuses()).toEqual([200, 200, 200]);
  });

  it('ships a robots.txt that disallows the API and allows NodeInfo', async () => {
    await using server = await createReferenceServer({ profile: 'live' });
    const response = await fetch(`${server.url}/robots.txt`);
    expect(response.headers.get('content-type')).toContain('text/plain');
    const lines = (await response.text()).split('\n');
    expect(lines[0]).toBe('User-agent: *');
    expect(lines).toEqual(expect.arrayContaining(['Disallow: /api/', 'Allow: /nodeinfo/2.0', 'Allow: /']));
    expect(lines).not.toContain('Allow: /api/v1/config');
  });

  it('answers an unknown page with 200 and the web app, its name escaped, but an unknown API route with 404', async () => {
    await using server = await createReferenceServer({ profile: 'live', config: { app: { name: '<b>"Clips"' } } });
    const page = await fetch(`${server.url}/@nobody`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain('<title>&#60;b&#62;&#34;Clips&#34;</title>');
    const route = await fetch(`${server.url}/api/v1/unknown`);
    expect([route.status, await route.json()]).toEqual([404, { message: 'Not Found.' }]);
  });
});
