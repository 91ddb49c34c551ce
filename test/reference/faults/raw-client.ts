import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ReferenceServer } from '../../../src/reference/index.ts';

/** The raw response on one connection, and how the connection ended. */
export interface RawAnswer {
  bytes: Buffer;
  /** The bytes up to the empty line, or all bytes. */
  head: string;
  status: number;
  headers: ReadonlyMap<string, string>;
  body: Buffer;
  end: 'fin' | 'reset' | 'open';
  /** Milliseconds from the request to the first and the last byte; null without bytes. */
  firstMs: number | null;
  lastMs: number | null;
  /** The number of reads. */
  reads: number;
}

export interface RawRequest {
  path?: string;
  method?: string;
  headers?: Record<string, string>;
  /** Milliseconds of silence after which the end is `open`; before the first byte, a second more. Default 250. */
  patienceMs?: number;
}

/** Sends one request on a new connection and reads raw bytes until the connection ends. */
export async function sendRaw(server: ReferenceServer, request: RawRequest = {}): Promise<RawAnswer> {
  const { path = '/api/v1/config', method = 'GET', headers = {}, patienceMs = 250 } = request;
  const { hostname, port, host } = new URL(server.url);
  const socket: Socket =
    server.caPem === null
      ? connect({ host: hostname, port: Number(port) })
      : connectTls({ host: hostname, port: Number(port), ca: server.caPem });
  const lines = Object.entries({ host, connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const chunks: Buffer[] = [];
  const startedAt = performance.now();
  const times: number[] = [];
  const end = await new Promise<RawAnswer['end']>((resolve) => {
    let timer = setTimeout(resolve, patienceMs + 1_000, 'open');
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      times.push(performance.now() - startedAt);
      clearTimeout(timer);
      timer = setTimeout(resolve, patienceMs, 'open');
    });
    socket.on('end', () => resolve('fin'));
    socket.on('error', () => resolve('reset'));
    socket.on('close', () => {
      clearTimeout(timer);
      resolve('reset');
    });
    socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  });
  socket.destroy();
  const bytes = Buffer.concat(chunks);
  const split = bytes.indexOf('\r\n\r\n');
  const head = bytes.toString('latin1', 0, split === -1 ? bytes.length : split);
  const fields = head.split('\r\n').slice(1);
  return {
    bytes,
    head,
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0),
    headers: new Map(
      fields.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
    ),
    body: split === -1 ? Buffer.alloc(0) : bytes.subarray(split + 4),
    end,
    firstMs: times[0] ?? null,
    lastMs: times.at(-1) ?? null,
    reads: times.length,
  };
}
