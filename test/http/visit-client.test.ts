import { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { createAddressGuard } from '../../src/http/address-guard.ts';
import { optOutsOf, type ThirdPartySlots } from '../../src/http/admit-host.ts';
import { type Connector, connectTcp } from '../../src/http/connect-tcp.ts';
import type { Resolution, Resolver } from '../../src/http/resolver.ts';
import type { HttpOptions } from '../../src/http/visit-client.ts';
import { freePort } from '../serve-http.ts';
import { HOST, openClient, resolverOf, servePlain, serveTcp, serveTls, urlOf } from './loopback.ts';

const accept = 'application/json';
/** Connects to 127.0.0.1, where the test servers listen, whatever the address. */
const to127001: Connector = (_to, port) => connectTcp([{ address: '127.0.0.1', family: 4 }], port);
const asJson = { accept };

describe('a request', () => {
  it('sends the path and query byte for byte, with User-Agent, Accept and no other identifying header', async () => {
    const sent: unknown[] = [];
    const server = await serveTls(({ method, headers }, response) => {
      sent.push({ method, headers });
      response.end();
    });
    const unusual = '//nodeinfo//2.0/%2e%2E%2f%7e;a=b/?format=json&x=%20+&&y[]=1';
    await openClient().get(urlOf(server, unusual), asJson);
    expect(server.targets).toEqual([unusual]);
    expect(sent).toEqual([
      {
        method: 'GET',
        headers: {
          'user-agent': 'Loopscout/0.0.0 (+https://loopscout.example)',
          accept,
          'accept-encoding': expect.stringContaining('gzip'),
          host: `${HOST}:${server.port}`,
          connection: 'keep-alive',
        },
      },
    ]);
  });

  it.each(['/a/../b', '/%2e/x', "/?q='x'", '/x?', '//', '/?'])(
    'sends the target %s instead of the path of its URL',
    async (target) => {
      const server = await serveTls((_request, response) => response.end());
      const result = await openClient().get(urlOf(server, '/not/this?'), { accept, target });
      expect(result).toMatchObject({ kind: 'answer', status: 200 });
      expect(server.targets).toEqual([target]);
    },
  );

  it('returns status, headers, body, length and duration of a response', async () => {
    let now = 0;
    const server = await serveTls((_request, response) => {
      now += 40;
      response.writeHead(203, { 'x-colour': 'blue' }).end('hällo');
    });
    const result = await openClient({ clock: () => now }).get(urlOf(server), asJson);
    expect(result).toMatchObject({ kind: 'answer', status: 203, headers: { 'x-colour': 'blue' }, bytes: 6, ms: 40 });
    if (result.kind !== 'answer') throw new Error('no answer');
    expect(Buffer.from(result.body).toString()).toBe('hällo');
  });

  it.each(['identity', 'gzip'])(
    'returns repeated X-Robots-Tag headers as a list when the body encoding is %s',
    async (encoding) => {
      const server = await serveTls((_request, response) => {
        response.writeHead(200, [
          ...['X-Robots-Tag', 'googlebot: nofollow', 'Content-Encoding', encoding, 'x-robots-tag', 'noindex'],
        ]);
        response.end(encoding === 'gzip' ? gzipSync('{}') : '{}');
      });
      expect(await openClient().get(urlOf(server), asJson)).toMatchObject({
        headers: { 'x-robots-tag': ['googlebot: nofollow', 'noindex'] },
        bytes: 2,
      });
    },
  );

  it.each([301, 302, 307, 308])('does not follow a redirect with %i', async (status) => {
    const server = await serveTls((_request, response) => response.writeHead(status, { location: '/elsewhere' }).end());
    expect(await openClient().get(urlOf(server), asJson)).toMatchObject({ kind: 'answer', status });
    expect(server.targets).toEqual(['/']);
  });

  it.each([400, 429, 500, 503])('does not retry after a %i', async (status) => {
    const server = await serveTls((_request, response) => response.writeHead(status, { 'retry-after': '0' }).end());
    expect(await openClient().get(urlOf(server), asJson)).toMatchObject({ kind: 'answer', status });
    expect(server.targets).toHaveLength(1);
  });

  it('uses plain http for an http URL', async () => {
    const server = await servePlain((_request, response) => response.end('plain'));
    expect(await openClient().get(urlOf(server, '/x', 'http'), asJson)).toMatchObject({
      kind: 'answer',
      status: 200,
      bytes: 5,
    });
  });
});

describe('a connection', () => {
  it('is reused for the four requests of a visit', async () => {
    const server = await serveTls((_request, response) => response.end('{}'));
    const client = openClient();
    for (const path of ['/robots.txt', '/api/v1/config', '/.well-known/nodeinfo', '/nodeinfo/2.0']) {
      expect(await client.get(urlOf(server, path), asJson)).toMatchObject({ kind: 'answer' });
    }
    expect(server.targets).toHaveLength(4);
    expect(server.accepted).toBe(1);
  });

  it('is not reused for another visit', async () => {
    const server = await serveTls((_request, response) => response.end('{}'));
    await openClient().get(urlOf(server), asJson);
    await openClient().get(urlOf(server), asJson);
    expect(server.accepted).toBe(2);
  });

  it('that the server closes after a response does not fail the next request', async () => {
    const server = await serveTls((request, response) => {
      response.on('finish', () => request.socket.end());
      response.end('{}');
    });
    const client = openClient();
    for (let i = 0; i < 5; i++)
      expect(await client.get(urlOf(server, `/${i}`), asJson)).toMatchObject({ kind: 'answer', status: 200 });
    expect(new Set(server.targets)).toEqual(new Set(['/0', '/1', '/2', '/3', '/4']));
  });

  it('that is reset at every request fails after one retry on a new connection', async () => {
    const server = await serveTls((request, response) => {
      if (request.url === '/robots.txt') response.end();
      else request.socket.destroy();
    });
    const client = openClient();
    await client.get(urlOf(server, '/robots.txt'), asJson);
    expect(await client.get(urlOf(server, '/x'), asJson)).toMatchObject({
      kind: 'failure',
      failure: 'connection-reset',
    });
    expect(server.targets).toEqual(['/robots.txt', '/x', '/x']);
  });

  it('that the server switches to another protocol is closed', async () => {
    const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n';
    const server = await serveTcp((socket) => socket.once('data', () => socket.write(upgrade)));
    const result = await openClient().get(urlOf(server, '/', 'http'), asJson);
    expect(result).toMatchObject({ kind: 'failure', failure: 'invalid-http' });
    expect(server.accepted).toBe(1);
  });
});

describe('a literal address', () => {
  it.each<[string, Connector | undefined]>([
    ['over the default TLS connection', undefined],
    ['over a connection of the given connector', (to, port) => connectTcp(to, port)],
  ])('is accepted with a certificate that names it, %s', async (_how, connector) => {
    const server = await serveTls((_request, response) => response.end('{}'));
    const client = openClient(connector === undefined ? {} : { connector });
    const result = await client.get(new URL(`https://127.0.0.1:${server.port}/`), asJson);
    expect(result).toMatchObject({ kind: 'answer', status: 200 });
  });

  it('is refused with a certificate for another address', async () => {
    const server = await serveTls((_request, response) => response.end('{}'));
    const client = openClient({ guard: createAddressGuard(['127.0.0.0/8']), connector: to127001 });
    const result = await client.get(new URL(`https://127.0.0.2:${server.port}/`), asJson);
    expect(result).toMatchObject({ failure: 'tls-wrong-name', detail: 'the certificate is for 127.0.0.1' });
  });
});

describe('a visit', () => {
  it('limits the total size of all bodies', async () => {
    const server = await serveTls((_request, response) => response.end('x'.repeat(10)));
    const client = openClient({ maxVisitBytes: 25 });
    for (let i = 0; i < 2; i++) expect(await client.get(urlOf(server), asJson)).toMatchObject({ kind: 'answer' });
    expect(await client.get(urlOf(server), asJson)).toMatchObject({ kind: 'failure', failure: 'body-too-large' });
  });

  it('accepts at most one MiB by default', async () => {
    const server = await serveTls((_request, response) => response.end(Buffer.alloc(200 * 1_024)));
    const client = openClient();
    for (let i = 0; i < 5; i++) expect(await client.get(urlOf(server), asJson)).toMatchObject({ kind: 'answer' });
    expect(await client.get(urlOf(server), asJson)).toMatchObject({ kind: 'failure', failure: 'body-too-large' });
  });

  it('does not count the Crawl-delay towards its time limit', async () => {
    let now = 0;
    const server = await serveTls((_request, response) => response.end('{}'));
    const client = openClient({ visitMs: 800, clock: () => now });
    const waiting = client.wait(1);
    now = 900;
    await waiting;
    expect(await client.get(urlOf(server), asJson)).toMatchObject({ kind: 'answer' });
  });

  it('tries at most eight addresses per family', async () => {
    const dialled: string[] = [];
    const addressList = (count: number, addressOf: (n: number) => string) =>
      Array.from({ length: count }, (_, n) => addressOf(n));
    const client = openClient({
      guard: () => null,
      resolver: resolverOf({
        'other.example': [
          ...addressList(3_000, (n) => `127.9.${n >> 8}.${n & 255}`),
          ...addressList(9, (n) => `2001:db8::${n}`),
        ],
      }),
      connector: (to) => {
        dialled.push(...to.map(({ address }) => address));
        const socket = new Socket();
        setImmediate(() => socket.destroy(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })));
        return socket;
      },
    });
    const result = await client.get(new URL('https://other.example/'), asJson);
    expect(result).toMatchObject({ failure: 'connect-refused' });
    expect(dialled).toHaveLength(16);
    expect(dialled.filter((address) => address.includes(':'))).toEqual(addressList(8, (n) => `2001:db8::${n}`));
  });

  it('checks every address of a name, even those beyond the eight that it would try', async () => {
    const addresses = Array.from({ length: 20 }, (_, n) => (n === 19 ? '10.0.0.1' : `93.184.215.${n}`));
    const client = openClient({ resolver: resolverOf({ 'other.example': addresses }) });
    const result = await client.get(new URL('https://other.example/'), asJson);
    expect(result).toMatchObject({ failure: 'forbidden-address' });
  });
});

describe('a host that has opted out', () => {
  it('receives no further request, even in the middle of a visit', async () => {
    const server = await serveTls((_request, response) => response.end());
    let optedOut: string[] = [];
    const optOuts = optOutsOf({ has: (host) => optedOut.includes(host) });
    const client = openClient({ optOuts });
    expect(await client.get(urlOf(server), asJson)).toMatchObject({ kind: 'answer' });
    optedOut = [`${HOST}:${server.port}`];
    expect(await client.get(urlOf(server), asJson)).toMatchObject({ kind: 'failure', failure: 'visit-timeout' });
    expect(server.targets).toHaveLength(1);
  });

  it('while a request to it waits for a slot does not receive that request', async () => {
    const server = await serveTls((_request, response) => response.end());
    let hasOptedOut = false;
    const admit = async () => {
      hasOptedOut = true;
      return () => undefined;
    };
    const options = {
      optOuts: { covers: () => hasOptedOut },
      thirdParties: { admit },
      resolver: resolverOf({ 'other.example': ['127.0.0.2'] }),
    };
    const client = openClient({ ...options, guard: createAddressGuard(['127.0.0.0/8']), connector: to127001 });
    const url = new URL(`https://other.example:${server.port}/`);
    expect(await client.get(url, asJson)).toMatchObject({ kind: 'failure', failure: 'visit-timeout' });
    expect([server.accepted, hasOptedOut]).toEqual([0, true]);
  });

  it('is not resolved', async () => {
    const lookups: string[] = [];
    const resolver: Resolver = {
      ...resolverOf(),
      resolve: async (host) => {
        lookups.push(host);
        return { ok: false, failure: 'dns-nxdomain' };
      },
    };
    const optOuts = optOutsOf({ has: (host) => host === 'out.example' });
    const client = openClient({ resolver, optOuts });
    for (const url of ['https://out.example/', 'https://out.example.:443/', 'https://in.example/'])
      await client.get(new URL(url), asJson);
    expect(lookups).toEqual(['in.example']);
  });

  it.each([
    ['https://out.example/x', 'out.example'],
    ['https://out.example.:443/', 'out.example'],
    ['http://out.example/', 'out.example:80'],
    ['http://out.example:443/', 'out.example'],
    ['https://out.example:80/', 'out.example:80'],
    ['https://OUT.example:8443/', 'out.example:8443'],
  ])('is looked up among the opt-outs, for the URL %s, as %s', (url, name) => {
    const checked: string[] = [];
    const has = (host: string) => {
      checked.push(host);
      return true;
    };
    optOutsOf({ has }).covers(new URL(url));
    expect(checked).toEqual([name]);
  });
});

describe('the address guard of a visit', () => {
  const strictGuard = createAddressGuard([]);

  it.each([
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://127.0.0.1./',
    'http://%31%32%37.0.0.1/',
    'http://127。0。0。1/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::127.0.0.1]/',
    'http://[::1]/',
    'http://[64:ff9b::7f00:1]/',
    'https://127.0.0.1/',
  ])('opens no connection to %s', async (text) => {
    const server = await servePlain((_request, response) => response.end());
    const url = new URL(text);
    url.port = String(server.port);
    const result = await openClient({ guard: strictGuard }).get(url, asJson);
    expect(result).toMatchObject({ kind: 'failure', failure: 'forbidden-address', status: null });
    expect(server.accepted).toBe(0);
  });

  it('allows a connection to an address in network.allow, written as one number', async () => {
    const server = await servePlain((_request, response) => response.end());
    const result = await openClient().get(new URL(`http://2130706433:${server.port}/`), asJson);
    expect(result).toMatchObject({ kind: 'answer', status: 200 });
  });

  it.each([[['10.0.0.1']], [['127.0.0.1', '10.0.0.1']], [['127.0.0.1', 'fe80::1']], [['::ffff:10.0.0.1']]])(
    'refuses a name if any of its addresses is forbidden: %j',
    async (addresses) => {
      const server = await servePlain((_request, response) => response.end());
      const client = openClient({ resolver: resolverOf({ 'other.example': addresses }) });
      const result = await client.get(new URL(`http://other.example:${server.port}/`), asJson);
      expect(result).toMatchObject({ kind: 'failure', failure: 'forbidden-address' });
      expect(server.accepted).toBe(0);
    },
  );

  it('resolves a third-party host once, and connects to those addresses only', async () => {
    const server = await servePlain((_request, response) => response.setHeader('connection', 'close').end('{}'));
    const dialled: string[] = [];
    const connector: Connector = (to, port) => {
      dialled.push(...to.map(({ address }) => address));
      return connectTcp(to, port);
    };
    let lookups = 0;
    const rebinding: Resolver = {
      isAnswering: async () => true,
      canResolve: async () => true,
      cancel: () => undefined,
      resolve: async (): Promise<Resolution> => {
        lookups += 1;
        return {
          ok: true,
          addresses: [{ address: lookups === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }],
          ttlSeconds: 60,
        };
      },
    };
    const client = openClient({ resolver: rebinding, guard: createAddressGuard(['127.0.0.0/8']), connector });
    for (let i = 0; i < 3; i++) {
      const result = await client.get(new URL(`http://other.example:${server.port}/${i}`), asJson);
      expect(result).toMatchObject({ kind: 'answer', status: 200 });
    }
    expect(lookups).toBe(1);
    expect(dialled).toEqual(['127.0.0.1', '127.0.0.1', '127.0.0.1']);
  });

  it('never resolves the visited host', async () => {
    const server = await serveTls((_request, response) => response.end());
    const resolve = vi.fn<Resolver['resolve']>();
    await openClient({ resolver: { ...resolverOf(), resolve } }).get(urlOf(server), asJson);
    expect(resolve).not.toHaveBeenCalled();
  });

  it('reports the DNS failure of a third-party host as the failure of the request', async () => {
    const result = await openClient().get(new URL('https://nobody.example/'), asJson);
    expect(result).toMatchObject({ kind: 'failure', failure: 'dns-nxdomain', status: null });
  });
});

describe('a slot at the addresses of a third-party host', () => {
  const guard = createAddressGuard(['127.0.0.0/8']);
  const resolver = resolverOf({ 'other.example': ['127.0.0.2', '127.0.0.1'], 'near.example': ['127.0.0.1'] });

  /** Records the requested slots, which the test grants one by one. */
  function slotsToGrant() {
    const requested: string[][] = [];
    const grants: (() => void)[] = [];
    const count = { held: 0, most: 0 };
    const admit: ThirdPartySlots['admit'] = (addresses) => {
      const { promise, resolve } = Promise.withResolvers<() => void>();
      requested.push(addresses.map(({ address }) => address));
      grants.push(() => {
        count.most = Math.max(count.most, ++count.held);
        resolve(() => {
          count.held -= 1;
        });
      });
      return promise;
    };
    return { requested, grants, count, thirdParties: { admit } };
  }
  const otherUrl = (port: number, host = 'other.example') => new URL(`http://${host}:${port}/`);
  const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

  it('is requested before anything is sent, held during the request, and released once', async () => {
    const heldDuringRequest: number[] = [];
    const server = await servePlain((_request, response) => {
      heldDuringRequest.push(count.held);
      response.end('{}');
    });
    const { requested, grants, count, thirdParties } = slotsToGrant();
    const client = openClient({ guard, resolver, thirdParties });
    const result = client.get(otherUrl(server.port), asJson);
    await expect.poll(() => requested).toEqual([['127.0.0.2']]);
    await pause();
    expect(server.accepted).toBe(0);
    grants[0]?.();
    expect(await result).toMatchObject({ kind: 'answer', status: 200 });
    expect([heldDuringRequest, count]).toEqual([[1], { held: 0, most: 1 }]);
  });

  it('is requested again for every request, also for literal addresses', async () => {
    const server = await servePlain((_request, response) => response.end('{}'));
    const { requested, thirdParties } = slotsToGrant();
    const client = openClient({
      guard,
      resolver,
      thirdParties: {
        admit: async (addresses) => {
          void thirdParties.admit(addresses);
          return () => undefined;
        },
      },
    });
    await client.get(otherUrl(server.port), asJson);
    await client.get(otherUrl(server.port), asJson);
    await client.get(otherUrl(await freePort(), '127.0.0.3'), asJson);
    expect(requested).toEqual([['127.0.0.2'], ['127.0.0.2'], ['127.0.0.3']]);
  });

  it('is not requested at the addresses of the visited host, where the visit already has one', async () => {
    const server = await servePlain((_request, response) => response.end('{}'));
    const { requested, thirdParties } = slotsToGrant();
    const client = openClient({ guard, resolver, thirdParties });
    for (const host of [HOST, 'near.example', '127.0.0.1'])
      expect(await client.get(otherUrl(server.port, host), asJson)).toMatchObject({ kind: 'answer' });
    expect(requested).toEqual([]);
  });

  it('is not requested if nothing will be sent', async () => {
    const { requested, thirdParties } = slotsToGrant();
    const client = openClient({ guard: createAddressGuard([]), resolver, thirdParties });
    for (const host of ['other.example', 'nobody.example', '127.0.0.3']) await client.get(otherUrl(80, host), asJson);
    expect(requested).toEqual([]);
  });

  it.each<[string, Partial<HttpOptions>, (socket: Socket) => unknown]>([
    ['fails', {}, (socket) => socket.destroy()],
    ['takes too long', { responseMs: 100 }, () => undefined],
  ])('is released when the request %s', async (_how, limits, onConnection) => {
    const server = await serveTcp(onConnection);
    const { grants, count, thirdParties } = slotsToGrant();
    const client = openClient({ guard, resolver, thirdParties, ...limits });
    const result = client.get(otherUrl(server.port), asJson);
    await expect.poll(() => grants).toHaveLength(1);
    grants[0]?.();
    expect(await result).toMatchObject({ kind: 'failure' });
    expect(count).toEqual({ held: 0, most: 1 });
  });

  it('is released when the client is closed during the request', async () => {
    const server = await servePlain(() => undefined);
    const { grants, count, thirdParties } = slotsToGrant();
    const client = openClient({ guard, resolver, thirdParties });
    const result = client.get(otherUrl(server.port), asJson);
    await expect.poll(() => grants).toHaveLength(1);
    grants[0]?.();
    await expect.poll(() => server.targets).toHaveLength(1);
    client.close();
    expect(await result).toMatchObject({ kind: 'failure', failure: 'visit-timeout' });
    expect(count).toEqual({ held: 0, most: 1 });
  });

  it('may be awaited for longer than the visit limit, because the wait does not count', async () => {
    const server = await servePlain((_request, response) => response.end('{}'));
    const { grants, count, thirdParties } = slotsToGrant();
    let now = 0;
    const client = openClient({ guard, resolver, thirdParties, visitMs: 300, clock: () => now });
    for (const round of [1, 2]) {
      const result = client.get(otherUrl(server.port), asJson);
      await expect.poll(() => grants).toHaveLength(round);
      now += 400;
      grants[round - 1]?.();
      expect(await result).toMatchObject({ kind: 'answer', status: 200 });
    }
    expect(count).toEqual({ held: 0, most: 1 });
  });

  it('is not awaited after the client is closed, and is released at once if granted later', async () => {
    const server = await servePlain((_request, response) => response.end());
    const { grants, count, thirdParties } = slotsToGrant();
    const client = openClient({ guard, resolver, thirdParties });
    const result = client.get(otherUrl(server.port), asJson);
    await expect.poll(() => grants).toHaveLength(1);
    client.close();
    expect(await result).toMatchObject({ kind: 'failure', failure: 'visit-timeout', status: null });
    expect(count).toEqual({ held: 0, most: 0 });
    grants[0]?.();
    await pause();
    expect([count, server.accepted]).toEqual([{ held: 0, most: 1 }, 0]);
  });

  it('that is granted just before the client is closed is released, and nothing is sent', async () => {
    const server = await servePlain((_request, response) => response.end());
    const { grants, count, thirdParties } = slotsToGrant();
    const client = openClient({ guard, resolver, thirdParties });
    const result = client.get(otherUrl(server.port), asJson);
    await expect.poll(() => grants).toHaveLength(1);
    grants[0]?.();
    client.close();
    expect(await result).toMatchObject({ kind: 'failure', failure: 'visit-timeout' });
    expect([count, server.accepted]).toEqual([{ held: 0, most: 1 }, 0]);
  });
});

describe('closing a client', () => {
  it('destroys connections that are still being opened', async () => {
    const sockets: Socket[] = [];
    const client = openClient({
      guard: () => null,
      resolver: resolverOf({ 'other.example': ['93.184.215.14', '2606:4700::1111'] }),
      connector: () => {
        const socket = new Socket();
        sockets.push(socket);
        return socket;
      },
    });
    const result = client.get(new URL('https://other.example/'), asJson);
    await expect.poll(() => sockets).toHaveLength(1);
    client.close();
    expect(await result).toMatchObject({ failure: 'visit-timeout' });
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true]);
  });

  it('ends a running request at once', async () => {
    const server = await serveTls(() => undefined);
    const client = openClient();
    const result = client.get(urlOf(server), asJson);
    await expect.poll(() => server.targets).toHaveLength(1);
    client.close();
    expect(await result).toMatchObject({ kind: 'failure', failure: 'visit-timeout' });
  });

  it('ends a request whose TLS handshake hangs', async () => {
    const server = await serveTcp(() => undefined);
    const client = openClient();
    const result = client.get(urlOf(server), asJson);
    await expect.poll(() => server.accepted).toBe(1);
    client.close();
    expect(await result).toMatchObject({ kind: 'failure', failure: 'visit-timeout' });
  });

  it('ends a request during name resolution, before anything is sent', async () => {
    const server = await servePlain((_request, response) => response.end());
    const answer = Promise.withResolvers<Resolution>();
    const client = openClient({ resolver: { ...resolverOf(), resolve: () => answer.promise } });
    const result = client.get(new URL(`http://other.example:${server.port}/`), asJson);
    client.close();
    answer.resolve({ ok: true, addresses: [{ address: '127.0.0.1', family: 4 }], ttlSeconds: 60 });
    expect(await result).toMatchObject({ kind: 'failure', failure: 'visit-timeout' });
    expect(server.accepted).toBe(0);
  });

  it('refuses every later request', async () => {
    const server = await serveTls((_request, response) => response.end());
    const client = openClient();
    client.close();
    client.close();
    expect(await client.get(urlOf(server), asJson)).toMatchObject({ kind: 'failure', failure: 'visit-timeout' });
    expect(server.accepted).toBe(0);
  });
});
