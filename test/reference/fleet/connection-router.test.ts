import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { connect } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { readOpening } from '../../../src/reference/fleet/connection-router.ts';

/** The first bytes that the TLS client of Node sends. */
async function recordHello(servername: string | undefined): Promise<Buffer> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = connect({ host: '127.0.0.1', port, ...(servername === undefined ? {} : { servername }) });
  client.on('error', () => undefined);
  const [socket] = await once(server, 'connection');
  const [bytes] = await once(socket, 'data');
  client.destroy();
  socket.destroy();
  server.close();
  return bytes;
}

describe('readOpening', () => {
  it('reads the server name of a ClientHello in lower case', async () => {
    const hello = await recordHello('Clips-0001.Example');
    expect(readOpening(hello)).toEqual({ type: 'tls', serverName: 'clips-0001.example' });
  });

  it('finds no name in a ClientHello without one', async () => {
    expect(readOpening(await recordHello(undefined))).toEqual({ type: 'tls', serverName: null });
  });

  it('needs more bytes for every incomplete ClientHello', async () => {
    const hello = await recordHello('clips.example');
    for (let length = 0; length < hello.length; length += 1) {
      expect(readOpening(hello.subarray(0, length))).toEqual({ type: 'more' });
    }
  });

  it('recognises plain HTTP by its first byte', () => {
    expect(readOpening(Buffer.from('G'))).toEqual({ type: 'plain' });
  });

  it('finds no name in a message with a length that points beyond its end', async () => {
    // Cut in the session id, which starts at byte 44: its length, or the one after it, points beyond the end.
    const hello = Buffer.from((await recordHello('clips.example')).subarray(0, 50));
    // Bytes 3 and 4 are the length of the record after its header of five bytes. They match, so the record is complete.
    hello.writeUInt16BE(hello.length - 5, 3);
    expect(readOpening(hello)).toEqual({ type: 'tls', serverName: null });
  });
});
