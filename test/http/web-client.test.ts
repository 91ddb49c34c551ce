import { describe, expect, it } from 'vitest';
import { HOST, openClient, serveTls } from './loopback.ts';

const accept = 'application/json';

describe('a web client', () => {
  it('posts a body with its length and type, and reads the response', async () => {
    const received: object[] = [];
    const { port } = await serveTls((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { 'content-length': length, 'content-type': type, 'transfer-encoding': coding } = request.headers;
        received.push({ method: request.method, body: String(Buffer.concat(chunks)), length, type, coding });
        response.writeHead(422, { 'content-type': 'application/json' }).end('{"errors":{}}');
      });
    });
    const client = openClient();
    const result = await client.send(new URL(`https://${HOST}:${port}/apps`), {
      method: 'POST',
      accept,
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(received).toEqual([
      { method: 'POST', body: '{}', length: '2', type: 'application/json', coding: undefined },
    ]);
    expect(result).toMatchObject({ kind: 'answer', status: 422 });
    expect(result.kind === 'answer' && String(Buffer.from(result.body))).toBe('{"errors":{}}');
    client.close();
  });

  it('sends OPTIONS without a body', async () => {
    const received: unknown[] = [];
    const { port } = await serveTls((request, response) => {
      received.push(request.method, request.headers.origin, request.headers['transfer-encoding']);
      response.writeHead(204).end();
    });
    const client = openClient();
    const headers = { origin: 'https://client.example' };
    const result = await client.send(new URL(`https://${HOST}:${port}/`), { method: 'OPTIONS', accept, headers });
    expect(result).toMatchObject({ kind: 'answer', status: 204 });
    expect(received).toEqual(['OPTIONS', 'https://client.example', undefined]);
    client.close();
  });

  it('does not retry a POST on a closed connection, unlike a GET', async () => {
    let requests = 0;
    const { port } = await serveTls((request, response) => {
      requests += 1;
      if (requests === 2) request.socket.destroy();
      else response.end('{}');
    });
    const url = new URL(`https://${HOST}:${port}/`);
    const client = openClient();
    await client.get(url, { accept });
    const result = await client.send(url, { method: 'POST', accept, body: '{}' });
    expect(result).toMatchObject({ kind: 'failure', failure: 'connection-reset' });
    expect(requests).toBe(2);
    client.close();
  });

  it('does not follow a redirect of a POST', async () => {
    const { port, targets } = await serveTls((_request, response) =>
      response.writeHead(302, { location: '/elsewhere' }).end(),
    );
    const client = openClient();
    const result = await client.send(new URL(`https://${HOST}:${port}/`), { method: 'POST', accept, body: '{}' });
    expect(result).toMatchObject({ kind: 'answer', status: 302, headers: { location: '/elsewhere' } });
    expect(targets).toEqual(['/']);
    client.close();
  });

  it('reports the status and headers of a response that fails in its body', async () => {
    const { port } = await serveTls((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 9 }).write('{}');
      setTimeout(() => response.destroy(), 50);
    });
    const client = openClient();
    const result = await client.get(new URL(`https://${HOST}:${port}/`), { accept });
    expect(result).toMatchObject({
      kind: 'failure',
      failure: 'connection-reset',
      status: 200,
      headers: { 'content-type': 'application/json' },
    });
    client.close();
  });
});

describe('a client with a request budget', () => {
  it('checks the budget before every request and every retry', async () => {
    let requests = 0;
    const { port, targets } = await serveTls((request, response) => {
      requests += 1;
      if (requests === 2) request.socket.destroy();
      else response.end('{}');
    });
    const url = new URL(`https://${HOST}:${port}/`);
    let requestsLeft = 3;
    const client = openClient({ mayRequest: () => requestsLeft-- > 0 });
    expect((await client.get(url, { accept })).kind).toBe('answer');
    expect((await client.get(url, { accept })).kind).toBe('answer');
    // The second request was sent twice.
    expect(targets).toHaveLength(3);
    expect(await client.get(url, { accept })).toMatchObject({
      kind: 'failure',
      failure: 'visit-timeout',
      status: null,
    });
    expect(targets).toHaveLength(3);
    client.close();
  });
});
