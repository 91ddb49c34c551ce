import { once } from 'node:events';
import { connect } from 'node:net';

export interface RawAnswer {
  /** 0: the connection ended without a response. */
  status: number;
  /** Raw header lines, one character per byte. */
  lines: string[];
  body: string;
  /** The value of the first header with this lower-case name; undefined: none. */
  header(name: string): string | undefined;
}

/**
 * Sends raw bytes (one character each) and reads until the connection ends.
 * @param options.endEarly whether to close the sending side right after the bytes.
 */
export async function rawRequest(
  url: string,
  bytes: string,
  { endEarly = false }: { endEarly?: boolean } = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, 'connect');
  socket.write(bytes, 'latin1');
  if (endEarly) socket.end();
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => socket.destroy());
  socket.setTimeout(5_000, () => socket.destroy());
  await once(socket, 'close');
  const text = Buffer.concat(chunks).toString('latin1');
  const headEnd = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, Math.max(0, headEnd)).split('\r\n');
  return {
    status: Number(statusLine.split(' ')[1] ?? 0),
    lines,
    body: text.slice(headEnd + 4),
    header: (name) => lines.find((line) => line.toLowerCase().startsWith(`${name}:`))?.slice(name.length + 2),
  };
}
