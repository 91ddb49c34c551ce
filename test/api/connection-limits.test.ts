import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { ApiOptions } from '../../src/api/create-api.ts';
import { openApi } from './open-api.ts';

const REQUEST = 'GET /nothing HTTP/1.1\r\nhost: x\r\n\r\n';

async function listening(changes: Partial<ApiOptions>) {
  const { api } = await openApi(undefined, changes);
  await api.listen({ host: '127.0.0.1', port: 0 });
  const { port } = api.server.address() as AddressInfo;
  /** Opens a connection and sends `text`; `received` is everything that came until the server closed it, or until `enough`. */
  return (text: string, { enough = Number.POSITIVE_INFINITY } = {}) => {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    onTestFinished(() => {
      socket.destroy();
    });
    socket.on('error', () => {});
    socket.write(text);
    let received = '';
    const answers = new Promise<number>((resolve) => {
      const count = () => received.match(/HTTP\/1\.1 404/g)?.length ?? 0;
      socket.on('data', (chunk: string) => {
        received += chunk;
        if (count() >= enough) resolve(count());
      });
      socket.on('close', () => resolve(count()));
    });
    return { socket, answers };
  };
}

test('a client may pipeline twenty requests; a connection with more is closed, and others are still served', async () => {
  const open = await listening({});
  expect(await open(REQUEST.repeat(20), { enough: 20 }).answers).toBe(20);
  expect(await open(REQUEST.repeat(500)).answers).toBeLessThanOrEqual(20);
  expect(await open(REQUEST, { enough: 1 }).answers).toBe(1);
});

test('requests that wait for the answer to the one before are not limited by a connection', async () => {
  const open = await listening({});
  const { socket } = open(REQUEST);
  for (let count = 0; count < 50; count++) {
    await once(socket, 'data');
    socket.write(REQUEST);
  }
  expect(socket.destroyed).toBe(false);
});

test.each([
  ['a hundred connections from one address are served, and further ones closed', false, 0],
  ['behind a proxy, the connections of all clients are served', true, 1],
])('%s', async (_claim, trustProxy, answersToLast) => {
  const open = await listening({ ratePerMinute: 10_000, trustProxy });
  const first = Array.from({ length: 100 }, () => open(REQUEST, { enough: 1 }));
  expect(await Promise.all(first.map(({ answers }) => answers))).toEqual(first.map(() => 1));
  expect(await open(REQUEST, { enough: 1 }).answers).toBe(answersToLast);
  const [closing] = first;
  closing?.socket.end();
  await closing?.answers;
  await expect.poll(() => open(REQUEST, { enough: 1 }).answers).toBe(1);
});
