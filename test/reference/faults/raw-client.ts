import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ReferenceServer } from '../../../src/reference/index.ts';

/** The raw response on one connection, and how the connection ended. */
export interface RawAnswer {
  bytes: Buffer;
  /** The status line and headers, up to the empty line or, without one, all that was received. */
  head: string;
  /** 0: no status line was received. */
  status: number;
  /** Names in lower case. */
  headers: ReadonlyMap<string, string>;
  body: Buffer;
  /** `fin`: ended by the server; `reset`: broken off; `open`: still open when the client gave up. */
  end: 'fin' | 'reset' | 'open';
  /** Milliseconds from the start of the connection to the first read; null: no byte was read. */
  firstMs: number | null;
  /** Milliseconds from the start of the connection to the last read; null: no byte was read. */
  lastMs: number | null;
  /** The number of reads. */
  reads: number;
}

export interface RawRequest {
  path?: string;
  method?: string;
  headers?: Record<string, string>;
  /** After this many milliseconds of silence the client gives up. Default 15,000. */
  patienceMs?: number;
}

/** Sends one request on a new connection and reads raw bytes until the connection ends. */
export async function sendRaw(server: ReferenceServer, request: RawRequest = {}): Promise<RawAnswer> {
  const { path = '/api/v1/config', method = 'GET', headers = {}, patienceMs = 15_000 } = request;
  const { hostname, port, host } = new URL(server.url);
  const socket: Socket =
    server.caPem === null
      ? connect({ host: hostname, port: Number(port) })
      : connectTls({ host: hostname, port: Number(port), ca: server.caPem });
  const headerLines = Object.entries({ host, connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const chunks: Buffer[] = [];
  const startedAt = performance.now();
  const readTimes: number[] = [];
  const end = await new Promise<RawAnswer['end']>((resolve) => {
    let timer = setTimeout(resolve, patienceMs, 'open');
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      readTimes.push(performance.now() - startedAt);
      clearTimeout(timer);
      timer = setTimeout(resolve, patienceMs, 'open');
    });
    socket.on('end', () => resolve('fin'));
    socket.on('error', () => resolve('reset'));
    socket.on('close', () => {
      clearTimeout(timer);
      resolve('reset');
    });
    socket.write(`${method} ${path} HTTP/1.1\r\n${headerLines.join('')}\r\n`);
  });
  socket.destroy();
  const bytes = Buffer.concat(chunks);
  const headEnd = bytes.indexOf('\r\n\r\n');
  const head = bytes.toString('latin1', 0, headEnd === -1 ? bytes.length : headEnd);
  const receivedLines = head.split('\r\n').slice(1);
  return {
    bytes,
    head,
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0),
    headers: new Map(
      receivedLines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
    ),
    body: headEnd === -1 ? Buffer.alloc(0) : bytes.subarray(headEnd + 4),
    end,
    firstMs: readTimes[0] ?? null,
    lastMs: readTimes.at(-1) ?? null,
    reads: readTimes.length,
  };
}
