import { type OutgoingHttpHeaders, STATUS_CODES } from 'node:http';
import type { Server, Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { FaultRule } from './fault-rule.ts';

/** A correct answer, before the fault. Header names are in lower case. */
export interface CorrectAnswer {
  status: number;
  headers: OutgoingHttpHeaders;
  /** For HEAD, the body of the answer to GET. */
  body: Buffer;
  isHead: boolean;
}

/** The bytes to write, and how the connection ends. */
export interface WireScript {
  /** Each piece is one write. */
  pieces: readonly Buffer[];
  /** Milliseconds between two writes. */
  everyMs: number;
  /** `end`: closed; `reset`: reset; `open`: left open and silent. */
  ending: 'end' | 'reset' | 'open';
}

const emptyBody = Buffer.alloc(0);
const framingHeaders = ['content-length', 'transfer-encoding', 'connection', 'keep-alive'];

/** The bytes of an answer whose framing is corrupted (RFC 9112 section 6). The connection is unusable afterwards. */
export function wireScriptOf(rule: FaultRule, answer: CorrectAnswer): WireScript {
  const body = answer.isHead ? emptyBody : answer.body;
  const halfBody = body.subarray(0, body.length >> 1);
  const head = headOf(answer, { 'content-length': `${answer.body.length}`, connection: 'close' });
  const scriptOf = (pieces: readonly Buffer[], ending: WireScript['ending'] = 'end'): WireScript => ({
    pieces,
    everyMs: 0,
    ending,
  });
  switch (rule.fault) {
    case 'no-content-length':
      return scriptOf([Buffer.concat([headOf(answer, { connection: 'close' }), body])]);
    case 'unfinished-chunks':
      return scriptOf([Buffer.concat([headOf(answer, { 'transfer-encoding': 'chunked' }), chunk(body)])]);
    case 'truncated':
      return scriptOf([Buffer.concat([head, halfBody])]);
    case 'over-long':
      return scriptOf([Buffer.concat([head, body, Buffer.alloc(rule.bytes ?? 1_000, 'x')])]);
    case 'wrong-length':
      return scriptOf([Buffer.concat([headOf(answer, { 'content-length': rule.value }), body])]);
    case 'drip':
      return {
        pieces: [head, ...cutIntoPieces(body, rule.bytesPerWrite ?? 1)],
        everyMs: rule.everyMs ?? 50,
        ending: 'end',
      };
    case 'reset':
    case 'stall': {
      const sent = rule.at === 'in-headers' ? head.subarray(0, head.length >> 1) : Buffer.concat([head, halfBody]);
      return scriptOf([sent], rule.fault === 'reset' ? 'reset' : 'open');
    }
    default:
      return scriptOf([Buffer.concat([head, body])]);
  }
}

function headOf({ status, headers }: CorrectAnswer, framing: Record<string, string>): Buffer {
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, `date: ${new Date().toUTCString()}`];
  for (const [name, value] of Object.entries({ ...headers, ...framing })) {
    if (value === undefined || (framingHeaders.includes(name) && framing[name] === undefined)) continue;
    for (const single of Array.isArray(value) ? value : [value]) lines.push(`${name}: ${single}`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

/** The body as one chunk. Empty for an empty body, because an empty chunk would end the body. */
function chunk(body: Buffer): Buffer {
  if (body.length === 0) return body;
  return Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')]);
}

function cutIntoPieces(body: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(body.length / size) }, (_, index) =>
    body.subarray(index * size, (index + 1) * size),
  );
}

/** Resets the TCP connection of a request, also under TLS (RFC 9293 section 3.5.2). */
export type Reset = (socket: Socket) => void;

/** Finds and resets the TCP socket under a TLS socket, which Node does not expose. */
export function createRawConnections() {
  const sockets = new Map<string, Socket>();
  return {
    /** Tracks every new connection of this server. */
    watch(server: Server) {
      server.on('connection', (socket: Socket) => {
        const peer = peerOf(socket);
        sockets.set(peer, socket);
        socket.on('close', () => sockets.delete(peer));
      });
    },
    reset(socket: Socket) {
      const raw = socket instanceof TLSSocket ? sockets.get(peerOf(socket)) : socket;
      if (raw === undefined) socket.destroy();
      else raw.resetAndDestroy();
    },
  };
}

/** Identifies a connection: the same text for a TLS socket and the TCP socket under it. */
function peerOf({ remoteAddress, remotePort, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localPort}`;
}
