import { pipeline } from 'node:stream';
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  gzipSync,
} from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { digestOf, NO_STORE } from './answer.ts';

/** Smaller bodies are not compressed. */
const MIN_BYTES = 1_024;
/** Larger bodies are compressed in the thread pool, on each request. */
const MAX_SYNC_BYTES = 256 * 1_024;
const COMPRESSIBLE = /^text\/(?!event-stream)|[+/](?:json|text|xml)(?:;|$)|octet-stream(?:;|$)/;
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

const CODINGS = {
  br: {
    sync: (body: Buffer) => brotliCompressSync(body, BROTLI),
    async: (body: Buffer, done: Done) => brotliCompress(body, BROTLI, done),
    stream: () => createBrotliCompress(BROTLI),
  },
  gzip: {
    sync: (body: Buffer) => gzipSync(body),
    async: (body: Buffer, done: Done) => gzip(body, done),
    stream: () => createGzip(),
  },
};

type Done = (error: Error | null, payload?: unknown) => void;

/** Adds entity tags to cacheable responses of status 200, answers `If-None-Match` with 304, and compresses as `Accept-Encoding` allows. */
export function addTagsAndCodings(server: FastifyInstance): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    const body = typeof payload === 'string' ? Buffer.from(payload) : payload;
    // Weak, since all codings of a response share it.
    if (Buffer.isBuffer(body) && !reply.hasHeader('etag')) reply.header('etag', `W/"${digestOf(body)}"`);
    if (reply.statusCode !== 200 || reply.getHeader('cache-control') === NO_STORE) reply.removeHeader('etag');
    const condition = request.headers['if-none-match'];
    if (condition !== undefined && matchesTag(condition, reply.getHeader('etag'))) {
      reply.code(304).removeHeader('content-type');
      done(null, null);
    } else compress(body, String(request.headers['accept-encoding'] ?? ''), reply, done);
  });
}

function compress(body: unknown, accepted: string, reply: FastifyReply, done: Done): void {
  const isCompressible = COMPRESSIBLE.test(String(reply.getHeader('content-type') ?? ''));
  const coding = isCompressible && !reply.hasHeader('content-encoding') ? codingOf(accepted) : null;
  if (coding === null || body === null || (Buffer.isBuffer(body) && body.length < MIN_BYTES)) {
    done(null, body);
    return;
  }
  reply.header('content-encoding', coding);
  reply.removeHeader('content-length');
  const { sync, async, stream } = CODINGS[coding];
  if (!Buffer.isBuffer(body))
    done(
      null,
      pipeline(body as NodeJS.ReadableStream, stream(), () => {}),
    );
  else if (body.length > MAX_SYNC_BYTES) async(body, done);
  else done(null, sync(body));
}

/** The preferred coding of a client; null when it accepts none. `*` and the old name `x-gzip` count as gzip (RFC 9110 section 12.5.3). */
function codingOf(accepted: string): keyof typeof CODINGS | null {
  const coding = negotiate(accepted.toLowerCase().replace(/\*|x-gzip/g, 'gzip'), ['br', 'gzip', 'identity']);
  return coding === 'identity' ? null : coding;
}

/** Whether `If-None-Match` names the tag (RFC 9110 section 13.1.2). */
function matchesTag(condition: string, tag: unknown): boolean {
  if (typeof tag !== 'string') return false;
  if (condition === '*') return true;
  const opaque = (text: string) => text.trim().replace(/^W\//, '');
  return condition.split(',').some((item) => opaque(item) === opaque(tag));
}
