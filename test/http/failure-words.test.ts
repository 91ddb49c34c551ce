import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:https';
import type { Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import { describe, expect, it } from 'vitest';
import type { HttpFailure } from '../../src/http/failure.ts';
import type { HttpOptions } from '../../src/http/visit-client.ts';
import { createCertificateAuthority } from '../../src/reference/tls/certificate-authority.ts';
import { freePort, listen } from '../serve-http.ts';
import { HOST, openClient, serveTcp, serveTls, urlOf } from './loopback.ts';

const get = (server: { port: number }, options: Partial<HttpOptions> = {}, scheme = 'https') =>
  openClient(options).get(urlOf(server, '/', scheme), { accept: '*/*' });

describe('a failed connection', () => {
  it('is connect-refused if nothing listens', async () => {
    expect(await get({ port: await freePort() })).toMatchObject({ failure: 'connect-refused', status: null });
  });

  it.each<[string, (socket: Socket) => void]>([
    ['is reset at once', (socket) => socket.resetAndDestroy()],
    ['is closed at once', (socket) => socket.end()],
    ['is reset in the handshake', (socket) => socket.once('data', () => socket.resetAndDestroy())],
    ['is closed in the handshake', (socket) => socket.once('data', () => socket.end())],
  ])('is connection-reset if it %s', async (_what, onConnection) => {
    const server = await serveTcp(onConnection);
    expect(await get(server)).toMatchObject({ kind: 'failure', failure: 'connection-reset', status: null });
  });

  it.each<[string, (socket: Socket) => void, number | null]>([
    ['before the headers', (socket) => socket.resetAndDestroy(), null],
    ['within the headers', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Le'), null],
    ['after the headers', (socket) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'), 200],
  ])('is connection-reset if it ends %s', async (_what, answer, status) => {
    const server = await serveTcp((socket) => socket.once('data', () => answer(socket)));
    expect(await get(server, {}, 'http')).toMatchObject({ kind: 'failure', failure: 'connection-reset', status });
  });

  it.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['a body without headers', '<!doctype html>'],
    ['two Content-Length headers', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nhi'],
  ])('is invalid-http if the server sends %s', async (_what, answer) => {
    const server = await serveTcp((socket) => socket.once('data', () => socket.end(answer)));
    expect(await get(server, {}, 'http')).toMatchObject({ kind: 'failure', failure: 'invalid-http', status: null });
  });
});

describe('a failed TLS handshake', () => {
  it.each([
    ['expired', 'tls-expired'],
    ['wrong-name', 'tls-wrong-name'],
    ['self-signed', 'tls-untrusted'],
    ['unknown-authority', 'tls-untrusted'],
  ] as const)('because of a certificate with the fault %s is %s, and no request is sent', async (fault, failure) => {
    const server = await serveTls((_request, response) => response.end('{}'), fault);
    expect(await get(server)).toMatchObject({ kind: 'failure', failure, status: null });
    expect(server.targets).toEqual([]);
  });

  it('because of a key of 512 bits is tls-untrusted', async () => {
    const authority = createCertificateAuthority('An authority of short keys');
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 512 });
    const day = 86_400_000;
    const validity = { notBefore: new Date(Date.now() - day), notAfter: new Date(Date.now() + day) };
    const cert = authority.issue({ names: [HOST], publicKey, ...validity });
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' });
    const server = createServer({ cert, key, ciphers: 'DEFAULT:@SECLEVEL=0', maxVersion: 'TLSv1.2' });
    server.on('tlsClientError', () => undefined);
    await using listening = await listen(server);
    const secureContext = createSecureContext({ ca: authority.certificate });
    const result = await get(listening, { secureContext });
    expect(result).toMatchObject({ kind: 'failure', failure: 'tls-untrusted' });
  });

  it.each([
    ['plain HTTP', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
    ['garbage', '\u0000\u0001\u0002\u0003 and more of it'],
    ['an alert', '\u0015\u0003\u0003\u0000\u0002\u0002\u0028'],
  ])('because the server sends %s is tls-failed', async (_what, answer) => {
    const server = await serveTcp((socket) => socket.once('data', () => socket.end(Buffer.from(answer, 'latin1'))));
    expect(await get(server)).toMatchObject({ kind: 'failure', failure: 'tls-failed', status: null });
  });
});

describe('a time-out', () => {
  const longLimits = { connectMs: 10_000, responseMs: 10_000, visitMs: 10_000 };

  /** A clock that stands still until it is started, so that a slow machine makes nothing late. */
  function stoppedClock() {
    let [now, stepMs] = [0, 0];
    const clock = () => {
      now += stepMs;
      return now;
    };
    const start = () => {
      stepMs = 50;
    };
    return { clock, start };
  }

  async function expectTimeout(result: Promise<{ ms: number }>, failure: HttpFailure, status: number | null) {
    const outcome = await result;
    expect(outcome).toMatchObject({ kind: 'failure', failure, status });
    expect(outcome.ms).toBeGreaterThanOrEqual(150);
  }

  it('in the handshake is tls-timeout', async () => {
    const { clock, start } = stoppedClock();
    const server = await serveTcp(start);
    await expectTimeout(get(server, { ...longLimits, connectMs: 150, clock }), 'tls-timeout', null);
  });

  it('before the response is response-timeout', async () => {
    const { clock, start } = stoppedClock();
    const server = await serveTls(start);
    await expectTimeout(get(server, { ...longLimits, responseMs: 150, clock }), 'response-timeout', null);
  });

  it('while headers trickle in is response-timeout', async () => {
    const { clock, start } = stoppedClock();
    const server = await serveTcp((socket) => {
      socket.once('data', () => {
        start();
        socket.write('HTTP/1.1 200 OK\r\n');
        const drip = setInterval(() => socket.write('X-Drop: x\r\n'), 50);
        socket.on('close', () => clearInterval(drip));
      });
    });
    await expectTimeout(get(server, { ...longLimits, responseMs: 150, clock }, 'http'), 'response-timeout', null);
  });

  it('while a body trickles in is body-timeout', async () => {
    const { clock, start } = stoppedClock();
    const server = await serveTls((_request, response) => {
      response.writeHead(200);
      start();
      const drip = setInterval(() => response.write('x'), 50);
      response.on('close', () => clearInterval(drip));
    });
    await expectTimeout(get(server, { ...longLimits, responseMs: 150, clock }), 'body-timeout', 200);
  });

  it('in the body of a 429 does not hide the 429', async () => {
    const { clock, start } = stoppedClock();
    const server = await serveTls((_request, response) => {
      response.writeHead(429, { 'retry-after': '60' }).write('x');
      start();
    });
    const result = await get(server, { ...longLimits, responseMs: 150, clock });
    expect(result).toMatchObject({ kind: 'answer', status: 429, headers: { 'retry-after': '60' } });
  });

  it('of the whole visit is visit-timeout, whatever the limits of a request', async () => {
    const { clock, start } = stoppedClock();
    const server = await serveTls((request, response) => (request.url === '/1' ? response.end() : start()));
    const client = openClient({ ...longLimits, visitMs: 200, clock });
    await client.get(urlOf(server, '/1'), { accept: '*/*' });
    expect(await client.get(urlOf(server, '/2'), { accept: '*/*' })).toMatchObject({
      kind: 'failure',
      failure: 'visit-timeout',
    });
    expect(await client.get(urlOf(server, '/3'), { accept: '*/*' })).toMatchObject({
      kind: 'failure',
      failure: 'visit-timeout',
    });
    expect(server.targets).not.toContain('/3');
  });

  it('does not occur if a response arrives in parts within its limit', async () => {
    const server = await serveTls((_request, response) => {
      response.write('a');
      setTimeout(() => response.end('b'), 20);
    });
    expect(await get(server, longLimits)).toMatchObject({ kind: 'answer', bytes: 2 });
  });
});
