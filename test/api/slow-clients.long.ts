import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { fillStore } from './fill-store.ts';
import { openApi } from './open-api.ts';

/** Reads until the connection closes. Returns what was received. */
async function untilClosed(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  await new Promise((resolve) => socket.once('close', resolve));
  return text;
}

test('clients that send or read too slowly are disconnected, and delay no other client', async () => {
  const { api } = await openApi((store) => fillStore(store, 2_000));
  await api.listen({ port: 0, host: '127.0.0.1' });
  const { port } = api.server.address() as AddressInfo;
  // Node's default of 60 s for headers would also delay the end of a slow body.
  const { headersTimeout, requestTimeout, keepAliveTimeout, timeout } = api.server;
  expect([headersTimeout, requestTimeout, keepAliveTimeout, timeout]).toEqual([10_000, 10_000, 10_000, 20_000]);
  // Shorter, so that this test need not wait.
  Object.assign(api.server, { headersTimeout: 2_000, requestTimeout: 2_000, keepAliveTimeout: 2_000, timeout: 4_000 });
  const open = (text: string) => {
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => {
      socket.destroy();
    });
    socket.on('error', () => {});
    socket.write(text);
    return socket;
  };
  const unfinished = open('GET /api/v1/stats HTTP/1.1\r\nHost: loopscout.example\r\nX-Slow: ');
  const dripping = open('GET /api/v1/stats HTTP/1.1\r\n');
  const dripTimer = setInterval(() => dripping.write('X-Drip: 1\r\n'), 500);
  onTestFinished(() => clearInterval(dripTimer));
  const drippingBody = open(
    'POST /api/v1/submissions HTTP/1.1\r\nHost: loopscout.example\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n',
  );
  const bodyTimer = setInterval(() => drippingBody.write(' '), 500);
  onTestFinished(() => clearInterval(bodyTimer));
  const silent = open('');
  const idle = open('GET /api/v1/stats HTTP/1.1\r\nHost: loopscout.example\r\n\r\n');
  const unread = open('GET /api/v1/instances?limit=500 HTTP/1.1\r\nHost: loopscout.example\r\n\r\n'.repeat(20));
  unread.pause();

  const ends = Promise.all([unfinished, dripping, drippingBody, silent, idle].map(untilClosed));
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/stats`, { headers: { connection: 'close' } });
  expect(answer.status).toBe(200);
  await answer.arrayBuffer();

  const [unfinishedEnd, drippingEnd, bodyEnd, , idleEnd] = await ends;
  for (const end of [unfinishedEnd, drippingEnd, bodyEnd]) {
    expect(end).toMatch(/^HTTP\/1\.1 408 /);
    expect(end).toContain('application/problem+json');
  }
  expect(idleEnd).toMatch(/^HTTP\/1\.1 200 /);
  const count = () =>
    new Promise<number>((resolve) => api.server.getConnections((_error, remaining) => resolve(remaining)));
  await expect.poll(count, { timeout: 60_000 }).toBe(0);
});
