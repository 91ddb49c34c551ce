import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { streamBody } from '../../src/http/stream-body.ts';

const STALL_MS = 100;

/** Both ends of a connection over loopback. */
async function createConnection(): Promise<{ sender: Socket; receiver: Socket }> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [sender] = (await once(server, 'connection')) as [Socket];
  onTestFinished(() => {
    sender.destroy();
    server.close();
  });
  return { sender, receiver };
}

/** Blocks the event loop. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

test('a body whose data arrived while the event loop was blocked has not stalled', async () => {
  const { sender, receiver } = await createConnection();
  sender.write('one ');
  let text = '';
  for await (const chunk of streamBody(receiver, undefined, { maxBytes: 1_000, stallMs: STALL_MS })) {
    text += Buffer.from(chunk).toString();
    if (text === 'one ') {
      // The stall timer starts after this, when the next chunk is requested.
      setImmediate(() => {
        sender.write('two ');
        block(3 * STALL_MS);
        setTimeout(() => sender.end('three'), 1);
      });
    }
  }
  expect(text).toBe('one two three');
});

test('a body without data for the stall time ends with an error', async () => {
  const { sender, receiver } = await createConnection();
  sender.write('one ');
  const read = async () => {
    for await (const _chunk of streamBody(receiver, undefined, { maxBytes: 1_000, stallMs: STALL_MS }));
  };
  await expect(read()).rejects.toThrow(`no data for ${STALL_MS / 1_000} s`);
});
