import { brotliCompressSync, gzipSync } from 'node:zlib';
import compress from '@fastify/compress';
import etag from '@fastify/etag';
import type { FastifyInstance } from 'fastify';
import { digestOf, NO_STORE } from './answer.ts';

/** Larger bodies are compressed in the thread pool, on each request. */
const MAX_SYNC_BYTES = 256 * 1_024;

/** Adds entity tags to cacheable responses, answers `If-None-Match` with 304, and compresses as `Accept-Encoding` allows. */
export async function addTagsAndCodings(server: FastifyInstance): Promise<void> {
  // Weak, since all codings of a response share it.
  const hashFn = oncePerBody(digestOf) as unknown as (payload: string) => string;
  await server.register(etag, { weak: true, hashFn, replyWith304: false });
  // The plugin would compare only a single tag, and replace errors by 304.
  server.addHook('onSend', (request, reply, payload, done) => {
    if (reply.getHeader('cache-control') === NO_STORE) reply.removeHeader('etag');
    const condition = request.headers['if-none-match'];
    if (condition === undefined || !matchesTag(condition, reply.getHeader('etag'))) return done(null, payload);
    reply.code(304).removeHeader('content-type');
    done(null, null);
  });
  await server.register(compress, {
    encodings: ['br', 'gzip', 'identity'],
    globalDecompression: false,
    syncThreshold: MAX_SYNC_BYTES,
    zlib: {
      gzipSync: oncePerBody<Buffer>(gzipSync),
      brotliCompressSync: oncePerBody<Buffer>(brotliCompressSync),
    },
  });
}

/** Whether `If-None-Match` names the tag (RFC 9110 section 13.1.2). */
function matchesTag(condition: string, tag: unknown): boolean {
  if (typeof tag !== 'string') return false;
  if (condition === '*') return true;
  const opaque = (text: string) => text.trim().replace(/^W\//, '');
  return condition.split(',').some((item) => opaque(item) === opaque(tag));
}

/** Computes once per body: a cached response is sent repeatedly as the same buffer. */
function oncePerBody<Result>(derive: (body: Buffer, options: object) => Result) {
  const cache = new WeakMap<Buffer, Result>();
  return (body: Buffer, options: object): Result => {
    const found = cache.get(body);
    if (found !== undefined) return found;
    const result = derive(body, options);
    cache.set(body, result);
    return result;
  };
}
