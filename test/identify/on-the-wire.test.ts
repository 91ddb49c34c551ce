import type { RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { identify } from '../../src/identify/identify.ts';
import { createVisitBuilder } from '../../src/identify/visit-builder.ts';
import { HOST, openClient, resolverOf, servePlain, serveTls, urlOf } from '../http/loopback.ts';
import { fixture } from './fixture.ts';
import { CONFIG, DISCOVERY, domainOf, expectConsistentVisit } from './scripted-visit.ts';
import { visitContext } from './visit-context.ts';

const mastodon = JSON.stringify(fixture('nodeinfo-whole'));
const schema = 'http://nodeinfo.diaspora.software/ns/schema/2.0';

/** A host without config and robots.txt that advertises the href for its port, and serves a NodeInfo document on every other path. */
function advertising(href: (port: number) => string): RequestListener {
  return (request, response) => {
    const port = request.socket.localPort ?? 0;
    if (request.url === '/robots.txt' || request.url === CONFIG) response.writeHead(404).end();
    else if (request.url === DISCOVERY) response.end(JSON.stringify({ links: [{ rel: schema, href: href(port) }] }));
    else response.end(mastodon);
  };
}

async function visitTo(port: number, client = openClient()) {
  const domain = domainOf(`${HOST}:${port}`);
  const visit = await identify(
    createVisitBuilder(domain, Date.now, () => performance.now()),
    client,
    visitContext(),
  );
  expectConsistentVisit(visit);
  return visit;
}

describe('an href is sent to the server byte for byte,', () => {
  it.each([
    '//nodeinfo//2.0',
    '/nodeinfo/2.0/',
    '/n%2fi%2Fx%7e/a;b=c,d',
    '/?schema=2.0&&format=json&x[]=%20+%26',
    '/nodeinfo?a=/../b&c=//d',
    '/*!()$@:',
    "/it's?a='b'",
    '/?a="<b>"&c=`{|}^',
    '/"<n>`{|}^[]',
    '/nodeinfo?',
    '/a/../b/./c/.',
    '/a/%2e%2e/b/%2E/c',
    '/..',
    '//',
    '/@user:word@other.example/',
    `/${'x'.repeat(400)}`,
  ])('%s', async (target) => {
    const server = await serveTls(advertising((port) => `https://${HOST}:${port}${target}`));
    expect(await visitTo(server.port)).toMatchObject({ verdict: 'other', software: 'mastodon' });
    expect(server.targets).toEqual(['/robots.txt', CONFIG, DISCOVERY, target]);
    expect(server.accepted).toBe(1);
  });

  it.each([
    ['', '/'],
    ['?x=/../y', '/?x=/../y'],
    ['?', '/?'],
  ])('with the path / if it has none: %j', async (rest, target) => {
    const server = await serveTls(advertising((port) => `https://${HOST}:${port}${rest}`));
    expect(await visitTo(server.port)).toMatchObject({ verdict: 'other', software: 'mastodon' });
    expect(server.targets.at(-1)).toBe(target);
  });

  it('over the open connection if its host has a trailing dot', async () => {
    const server = await serveTls((request, response) => {
      if (request.url === '/nodeinfo') response.end(JSON.stringify(fixture('nodeinfo-loops')));
      else advertising((port) => `https://${HOST.toUpperCase()}.:${port}/nodeinfo`)(request, response);
    });
    expect(await visitTo(server.port)).toMatchObject({ verdict: 'loops', facts: { flags: [] } });
    expect(server.accepted).toBe(1);
  });

  it('but the target of a redirect from it is normalised', async () => {
    const server = await serveTls((request, response) => {
      if (request.url === '/a/../b?') response.writeHead(302, { location: './c' }).end();
      else advertising((port) => `https://${HOST}:${port}/a/../b?`)(request, response);
    });
    expect(await visitTo(server.port)).toMatchObject({ verdict: 'other', software: 'mastodon' });
    expect(server.targets.slice(3)).toEqual(['/a/../b?', '/c']);
  });

  it('also when it is requested again after a 5xx, and the steps contain it unchanged', async () => {
    const server = await serveTls((request, response) => {
      const isFirst = server.targets.filter((target) => target === '/a/../b?').length === 1;
      if (request.url === '/a/../b?' && isFirst) response.writeHead(500).end();
      else advertising((port) => `https://${HOST}:${port}/a/../b?#c`)(request, response);
    });
    const { steps } = await visitTo(server.port);
    expect(server.targets.slice(3)).toEqual(['/a/../b?', '/a/../b?']);
    expect(steps.slice(3).map(({ url }) => url)).toEqual(Array(2).fill(`https://${HOST}:${server.port}/a/../b?`));
  });

  it('but without its fragment', async () => {
    const server = await serveTls(advertising((port) => `https://${HOST}:${port}/nodeinfo#2.0`));
    await visitTo(server.port);
    expect(server.targets.at(-1)).toBe('/nodeinfo');
  });
});

describe('a malformed href', () => {
  it.each([
    (host: string) => `https:///${host}/n`,
    (host: string) => `https://${host}/n `,
    (host: string) => `https://${host}/n\n`,
    (host: string) => `https://${host}/n\t/o`,
    (host: string) => `https:\\\\${host}\\n`,
    (host: string) => `https://@${host}/n`,
    (host: string) => `https://${host}/\u00fc`,
  ])('is not requested: %s', async (href) => {
    const server = await serveTls(advertising((port) => href(`${HOST}:${port}`)));
    expect(await visitTo(server.port)).toMatchObject({ verdict: 'unidentified', reason: 'href-invalid' });
    expect(server.targets).toEqual(['/robots.txt', CONFIG, DISCOVERY]);
  });
});

describe('a robots.txt over the size limit of bodies', () => {
  const comment = `#${'x'.repeat(1_022)}\n`;
  it.each([
    ['within the first 512 KiB are obeyed', 500, 'declined'],
    ['after the first 512 KiB are ignored', 600, 'other'],
  ])('is read in part: rules %s', async (_what, kib, verdict) => {
    const server = await serveTls((request, response) => {
      if (request.url !== '/robots.txt')
        return advertising((port) => urlOf({ port }, '/nodeinfo').href)(request, response);
      response.end(`${comment.repeat(kib)}User-agent: *\nDisallow: /\n${comment.repeat(2_000)}`);
    });
    const visit = await visitTo(server.port);
    expect(visit.verdict).toBe(verdict);
    expect(visit.steps[0]).toMatchObject({ probe: 'robots', status: 200, failure: null, bytes: 512 * 1_024 });
  });

  it('that never ends is truncated', async () => {
    const server = await serveTls((request, response) => {
      if (request.url !== '/robots.txt')
        return advertising((port) => urlOf({ port }, '/nodeinfo').href)(request, response);
      const writeMore = () => {
        while (!response.destroyed && response.write(comment.repeat(16)));
        if (!response.destroyed) response.once('drain', writeMore);
      };
      writeMore();
    });
    expect(await visitTo(server.port)).toMatchObject({ verdict: 'other', software: 'mastodon' });
  });
});

describe('an href on another host', () => {
  it('that is a forbidden literal address opens no connection', async () => {
    const trap = await servePlain((_request, response) => response.end(mastodon));
    const server = await serveTls(advertising(() => `http://[::ffff:127.0.0.1]:${trap.port}/`));
    const visit = await visitTo(server.port);
    expect(visit.reason).toBe('href-refused');
    const samePort = await serveTls(advertising((port) => `https://[::1]:${port}/`));
    expect(await visitTo(samePort.port)).toMatchObject({ verdict: 'declined', reason: 'forbidden-address' });
    expect(trap.accepted).toBe(0);
  });

  it('that resolves to a forbidden address opens no connection', async () => {
    const server = await serveTls(advertising((port) => `https://inside.example:${port}/`));
    const client = openClient({ resolver: resolverOf({ 'inside.example': ['127.0.0.1', '10.0.0.1'] }) });
    expect(await visitTo(server.port, client)).toMatchObject({ verdict: 'declined', reason: 'forbidden-address' });
    expect(server.accepted).toBe(1);
  });

  it('is followed over a second connection, and flagged when it names Loops', async () => {
    const server = await serveTls((request, response) => {
      const port = request.socket.localPort;
      if (request.headers.host === `nodes.example:${port}`) response.end(JSON.stringify(fixture('nodeinfo-loops')));
      else advertising(() => `https://nodes.example:${port}/nodeinfo`)(request, response);
    });
    const client = openClient({ resolver: resolverOf({ 'nodes.example': ['127.0.0.1'] }) });
    expect(await visitTo(server.port, client)).toMatchObject({
      verdict: 'loops',
      facts: { flags: ['nodeinfo-other-host'] },
    });
    expect(server.accepted).toBe(2);
  });
});

it('a redirect within the host uses the same connection', async () => {
  const server = await serveTls((request, response) => {
    if (request.url === CONFIG) response.writeHead(302, { location: '/moved' }).end('Moved.');
    else if (request.url === '/moved') response.end(JSON.stringify({ app: { software: 'reels' } }));
    else response.writeHead(404).end();
  });
  expect(await visitTo(server.port)).toMatchObject({ verdict: 'other', software: 'reels', version: null });
  expect(server.targets).toEqual(['/robots.txt', CONFIG, '/moved']);
  expect(server.accepted).toBe(1);
});

it('a server that closes the connection after each response is identified', async () => {
  const server = await serveTls((request, response) => {
    response.on('finish', () => request.socket.end());
    advertising((port) => urlOf({ port }, '/nodeinfo').href)(request, response);
  });
  expect(await visitTo(server.port)).toMatchObject({ verdict: 'other', software: 'mastodon' });
});
