import { type AddressInfo, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { deflateSync, gzipSync, constants as zlib, zstdCompressSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAddressGuard } from '../../src/http/address-guard.ts';
import { connectTcp } from '../../src/http/connect-tcp.ts';
import { type SourceHttpOptions, sourceRedirect } from '../../src/http/create-source-http.ts';
import type { HostAddress } from '../../src/http/resolver.ts';
import type { SourceAnswer } from '../../src/http/source-http.ts';
import { loopbackHttp } from '../sources/read-web.ts';
import { sendJson, serveList } from '../sources/servers/serve-list.ts';
import { serveTcp } from './loopback.ts';

const REQUEST_OPTIONS = { accept: 'application/json', maxBytes: 100_000 };

/** Requests the URLs in order, within one run. Returns status and text, or the failure, of each. */
async function requestAll(urls: string[], options: Partial<SourceHttpOptions> = {}, withinMs = 10_000) {
  const client = loopbackHttp(options).open({ withinMs, signal: new AbortController().signal });
  try {
    const outcomes: string[] = [];
    for (const url of urls) {
      const answer = await client.request(new URL(url), REQUEST_OPTIONS);
      outcomes.push(answer.kind === 'failure' ? answer.why : `${answer.status} ${await textOf(answer)}`);
    }
    return outcomes;
  } finally {
    client.close();
  }
}

const textOf = ({ body }: SourceAnswer): Promise<string> => text(body);

const serve = (robots?: string | number) =>
  serveList((_, response) => sendJson(response, ['x']), robots === undefined ? {} : { robots });

describe('the robots.txt of a list', () => {
  it('is read once per run and obeyed for each path', async () => {
    const server = await serve('User-agent: *\nDisallow: /private');
    const answers = await requestAll([`${server.url}/a`, `${server.url}/private/b`, `${server.url}/c`]);
    expect(answers).toEqual(['200 ["x"]', 'its robots.txt forbids it to everyone', '200 ["x"]']);
    expect(server.requests.map(({ url }) => url.pathname)).toEqual(['/robots.txt', '/a', '/c']);
  });

  it('that forbids the path to Loopscout is obeyed in the mode standard', async () => {
    const server = await serve('User-agent: loopscout\nDisallow: /api/\n\nUser-agent: *\nAllow: /');
    expect(await requestAll([`${server.url}/api/v1/instance/peers`])).toEqual([
      'its robots.txt forbids it to Loopscout',
    ]);
    expect(server.paths()).toEqual([]);
  });

  it('that forbids the path to everyone is obeyed in the mode standard', async () => {
    const server = await serve('User-agent: *\nDisallow: /api/');
    expect(await requestAll([`${server.url}/api/v1/config`])).toEqual(['its robots.txt forbids it to everyone']);
  });

  it('is not requested in the mode off', async () => {
    const server = await serve('User-agent: *\nDisallow: /');
    expect(await requestAll([`${server.url}/a`], { robots: 'off' })).toEqual(['200 ["x"]']);
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    [404, '200 ["x"]'],
    [403, '200 ["x"]'],
    [500, 'its robots.txt cannot be read: status 500'],
    [429, 'its robots.txt cannot be read: status 429'],
  ])('that is answered with status %i leads to this result for the list: %s', async (status, answer) => {
    const server = await serve(status);
    expect(await requestAll([server.url])).toEqual([answer]);
  });

  it('delays each request by its Crawl-delay', async () => {
    const server = await serve('User-agent: *\nCrawl-delay: 1');
    const start = performance.now();
    await requestAll([`${server.url}/a`, `${server.url}/b`]);
    expect(performance.now() - start).toBeGreaterThan(1_900);
  });

  it('with a Crawl-delay longer than the remaining time ends the run', async () => {
    const server = await serve('User-agent: *\nCrawl-delay: 500');
    expect(await requestAll([`${server.url}/a`], {}, 3_000)).toEqual([
      'its robots.txt asks for 500 s between requests, more than the time that is left',
    ]);
  });
});

describe('a redirect of a list', () => {
  const serveRedirect = (to: (url: string) => string) =>
    serveList(({ url }, response) => {
      if (url.pathname === '/end') sendJson(response, ['x']);
      else response.writeHead(302, { location: to(url.href) }).end();
    });

  it('is followed on its own host', async () => {
    const { url } = await serveRedirect(() => '/end');
    expect(await requestAll([url])).toEqual(['200 ["x"]']);
  });

  it('is followed at most three times', async () => {
    const server = await serveRedirect((url) => `${url}x`);
    expect(await requestAll([`${server.url}/`])).toEqual(['it redirects too many times']);
    expect(server.paths()).toHaveLength(4);
  });

  it('to a forbidden address is refused, and no connection is opened', async () => {
    const { url } = await serveRedirect(() => 'https://127.0.0.2/end');
    const dialled = new Set<string>();
    const connector: SourceHttpOptions['connector'] = (to, port) => {
      for (const { address } of to) dialled.add(address);
      return connectTcp(to, port);
    };
    expect(await requestAll([url], { connector })).toEqual(['its robots.txt cannot be read: forbidden-address']);
    expect(dialled).toEqual(new Set(['127.0.0.1']));
  });

  it.each([
    ['http://other.example/', 'it redirects to http://, which is not followed'],
    ['file:///etc/passwd', 'it redirects to file://, which is not followed'],
    ['https://a:b@other.example/', 'it redirects to a URL with a user name'],
    ['https://other.example:22/', 'it redirects to port 22, which is not followed'],
    ['https://[', 'it redirects without a valid target'],
    [undefined, 'it redirects without a valid target'],
  ])('to %s is not followed', (location, why) => {
    expect(sourceRedirect(new URL('https://list.example/'), location)).toBe(why);
  });

  it('from https to http on the same host is not followed', () => {
    expect(sourceRedirect(new URL('https://list.example/'), 'http://list.example/')).toMatch(/not followed/);
  });
});

describe('a host that has opted out', () => {
  it('receives nothing when a list redirects to it', async () => {
    const away = createServer((socket) => socket.destroy());
    let connections = 0;
    away.on('connection', () => {
      connections += 1;
    });
    await new Promise<void>((resolve) => away.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void away.close());
    const { port } = away.address() as AddressInfo;
    const { url } = await serveList((_, response) => {
      response.writeHead(302, { location: 'https://away.example/list' }).end();
    });
    const address: HostAddress = { address: '127.0.0.1', family: 4 };
    const lookups: string[] = [];
    const options: Partial<SourceHttpOptions> = {
      resolver: {
        resolve: async (name) => {
          lookups.push(name);
          return { ok: true, addresses: [address], ttlSeconds: 60 };
        },
        isAnswering: async () => true,
        canResolve: async () => true,
        cancel: () => undefined,
      },
      connector: (to, requestedPort) => connectTcp(to, requestedPort === 443 ? port : requestedPort),
    };
    // Without the opt-out, the host receives a connection; with it, not even its name is resolved.
    expect(await requestAll([url], options)).toEqual([expect.not.stringContaining('not contacted')]);
    expect([connections, lookups]).toEqual([1, ['away.example']]);
    const optOuts = { covers: (to: URL) => to.hostname === 'away.example' };
    expect(await requestAll([url], { ...options, optOuts })).toEqual([
      'its robots.txt cannot be read: it leads to a host that is not contacted',
    ]);
    expect([connections, lookups]).toEqual([1, ['away.example']]);
  });

  it('receives no further request when it opts out between pages', async () => {
    const server = await serve();
    const optOuts = { covers: () => server.paths().length > 0 };
    expect(await requestAll([`${server.url}/1`, `${server.url}/2`], { optOuts })).toEqual([
      '200 ["x"]',
      'it leads to a host that is not contacted',
    ]);
    expect(server.paths()).toEqual(['/1']);
  });
});

describe('the address guard of lists', () => {
  it('refuses a forbidden literal address, and sends nothing', async () => {
    const server = await serve();
    const guarded = { guard: createAddressGuard([]) };
    expect(await requestAll([server.url], guarded)).toEqual(['its robots.txt cannot be read: forbidden-address']);
    expect(server.requests).toEqual([]);
  });

  it('refuses a name with one forbidden address', async () => {
    const addresses: [HostAddress, HostAddress] = [
      { address: '127.0.0.1', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ];
    const resolver = {
      resolve: async () => ({ ok: true as const, addresses, ttlSeconds: 60 }),
      isAnswering: async () => true,
      canResolve: async () => true,
      cancel: () => undefined,
    };
    expect(await requestAll(['https://list.example/'], { resolver, robots: 'off' })).toEqual(['forbidden-address']);
  });

  it('checks the address again when it connects', async () => {
    let checks = 0;
    const server = await serve();
    const allowing = createAddressGuard(['127.0.0.1/32']);
    const refusing = createAddressGuard([]);
    // Simulates an address that becomes forbidden after the first check.
    const guard = (address: string) => {
      checks += 1;
      return checks === 1 ? allowing(address) : refusing(address);
    };
    expect(await requestAll([server.url], { guard, robots: 'off' })).toEqual(['connection-reset']);
    expect(server.requests).toEqual([]);
  });
});

describe('the client of lists', () => {
  it('sends its User-Agent and the validators of the previous run', async () => {
    const server = await serve();
    const client = loopbackHttp().open({ withinMs: 5_000, signal: new AbortController().signal });
    const conditions = { etag: 'W/"7"', lastModified: 'Mon, 01 Jun 2026 00:00:00 GMT' };
    await client.request(new URL(server.url), { ...REQUEST_OPTIONS, conditions });
    client.close();
    expect(server.requests[1]?.headers).toMatchObject({
      'user-agent': 'Loopscout/0 (+https://bot.example.org)',
      accept: 'application/json',
      'if-none-match': 'W/"7"',
      'if-modified-since': 'Mon, 01 Jun 2026 00:00:00 GMT',
    });
    expect(client.requests()).toBe(2);
  });

  it('sends nothing after it is closed', async () => {
    const server = await serve();
    const client = loopbackHttp({ robots: 'off' }).open({ withinMs: 5_000, signal: new AbortController().signal });
    client.close();
    expect(await client.request(new URL(server.url), REQUEST_OPTIONS)).toMatchObject({
      kind: 'failure',
      why: 'stopping',
    });
    expect(server.requests).toEqual([]);
  });

  it('reads a list no faster than the consumer', async () => {
    let sent = 0;
    const server = await serveList((_, response) => {
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536;
      };
      response.on('drain', write);
      write();
    });
    const client = loopbackHttp({ robots: 'off' }).open({ withinMs: 9_000, signal: new AbortController().signal });
    const answer = await client.request(new URL(server.url), { ...REQUEST_OPTIONS, maxBytes: 1e9 });
    if (answer.kind === 'failure') throw new Error(answer.why);
    await answer.body[Symbol.asyncIterator]().next();
    let before = -1;
    const hasStopped = () => {
      const isSame = sent === before;
      before = sent;
      return isSame || sent > 16_000_000;
    };
    await expect.poll(hasStopped).toBe(true);
    client.close();
    expect(sent).toBeLessThan(16_000_000);
  });

  it('reads a list of 20,000 lines, each in its own chunk', async () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `host-${index}.example\n`);
    const server = await serveList((_, response) => {
      for (const line of lines) response.write(line);
      response.end();
    });
    const client = loopbackHttp({ robots: 'off' }).open({ withinMs: 9_000, signal: new AbortController().signal });
    const answer = await client.request(new URL(server.url), { ...REQUEST_OPTIONS, maxBytes: 1_048_576 });
    if (answer.kind === 'failure') throw new Error(answer.why);
    expect(await textOf(answer)).toBe(lines.join(''));
    client.close();
  });

  it('ends a list of endless tiny chunks', async () => {
    const server = await serveList((_, response) => {
      const write = () => {
        while (!response.destroyed && response.write('x'));
      };
      response.on('drain', write);
      write();
    });
    await expect(requestAll([server.url], { robots: 'off' })).rejects.toThrow(
      /^\d+ chunks of fewer than 32 bytes on average$/,
    );
  });
});

const json = JSON.stringify(Array.from({ length: 3_000 }, (_, i) => `h${(i * 7_919) % 10_007}.example`));
const csv = json.slice(1, -1).replaceAll(',', '\n');

describe('a list is read as leniently as the documents of a visit:', () => {
  /** Sends these bytes to each request. */
  const readRaw = async (headers: string, body: Uint8Array, length = body.length) => {
    const server = await serveTcp((socket) => {
      socket.on('data', () => {
        socket.write(`HTTP/1.1 200 OK\r\n${headers}\r\nContent-Length: ${length}\r\n\r\n`, 'latin1');
        socket.write(body);
      });
    });
    const [outcome] = await requestAll([`http://127.0.0.1:${server.port}/list`], { robots: 'off' }).catch((error) => [
      (error as Error).message,
    ]);
    return { outcome: outcome === `200 ${json}` ? 'the whole list' : outcome, accepted: server.accepted };
  };
  const plain = Buffer.from(json);
  const folded = "Content-Security-Policy: default-src 'self';\r\n  img-src *";

  it.each([
    ['a folded header', folded],
    ['a header with a tab in front of its second line', 'X-Policy:\r\n\ta'],
    ['a header line that ends with LF', 'X-Policy: a;\n  b'],
  ])('%s, over a second connection', async (_what, headers) => {
    expect(await readRaw(headers, plain)).toEqual({ outcome: 'the whole list', accepted: 2 });
  });

  it.each([
    ['a control character in a header', 'X-Policy: a\x01b', plain],
    ['an unknown length', `${folded}\r\nTransfer-Encoding: chunked`, plain],
  ])('%s stays an error', async (_what, headers, body) => {
    expect((await readRaw(headers, body)).outcome).not.toContain('200 ');
  });

  const zstd = (text: string) => zstdCompressSync(text, { params: { [zlib.ZSTD_c_checksumFlag]: 1 } });
  const CODINGS: [coding: string, compress: (text: string) => Uint8Array, endBytes: number][] = [
    ['gzip', gzipSync, 8],
    ['gzip', gzipSync, 1],
    ['deflate', deflateSync, 4],
    ['zstd', zstd, 4],
  ];

  it.each(CODINGS)('JSON in %s without the last bytes of its end marker', async (coding, compress, bytes) => {
    const body = compress(json).subarray(0, -bytes);
    expect((await readRaw(`Content-Encoding: ${coding}`, body)).outcome).toBe('the whole list');
  });

  it.each(CODINGS)('a cut text in %s stays an error, whose end nothing shows', async (coding, compress, bytes) => {
    const body = compress(csv).subarray(0, -bytes);
    expect((await readRaw(`Content-Encoding: ${coding}`, body)).outcome).toMatch(/unexpected end|invalid-encoding/);
  });

  it.each(CODINGS)('JSON in %s that is cut itself stays an error', async (coding, compress) => {
    const body = compress(json).subarray(0, -2_000);
    expect((await readRaw(`Content-Encoding: ${coding}`, body)).outcome).toMatch(/unexpected end|invalid-encoding/);
  });

  it('JSON whose transfer is cut stays an error', async () => {
    const server = await serveTcp((socket) => {
      const body = gzipSync(json).subarray(0, -8);
      socket.on('data', () => {
        socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${body.length + 8}\r\n\r\n`);
        socket.end(body);
      });
    });
    await expect(requestAll([`http://127.0.0.1:${server.port}/list`], { robots: 'off' })).rejects.toThrow();
  });
});
