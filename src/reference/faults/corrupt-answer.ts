import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import { corruptBody } from './corrupt-body.ts';
import type { Fault, FaultRule } from './fault-rule.ts';
import { type WireScript, wireScriptOf } from './wire.ts';

const emptyBody = Buffer.alloc(0);
const json = 'application/json; charset=utf-8';

/**
 * Corrupts the content of one answer; or its framing, in which case `write` sends the bytes. Patches this reply only, because a
 * hook would slow down every other request.
 */
export function corruptAnswer(rule: FaultRule, reply: FastifyReply, write: (wire: WireScript) => void): void {
  const send: (payload: unknown) => FastifyReply = reply.send.bind(reply);
  const sendCorrupted = (payload: unknown): FastifyReply => {
    if (rule.fault === 'redirect-query') {
      changeLocation(rule, reply);
      return send(payload);
    }
    const body = bytesOf(payload);
    if (body === undefined) return send(payload);
    const corrupted = corruptBody(rule, { headers: {}, body });
    if (corrupted === undefined) {
      corruptFraming(rule, reply, body, write);
      return send(payload);
    }
    if (isJsonDocument(payload) && !reply.hasHeader('content-type')) reply.header('content-type', json);
    reply.headers(corrupted.headers).removeHeader('content-length');
    return send(corrupted.body);
  };
  Object.assign(reply, { send: sendCorrupted });
}

/** Changes the query of a redirect to another site. A redirect within the consent pages has a relative URL and stays unchanged. */
function changeLocation({ set = {}, remove = [] }: Fault<'redirect-query'>, reply: FastifyReply): void {
  const location = reply.getHeader('location');
  if (typeof location !== 'string' || !URL.canParse(location)) return;
  const url = new URL(location);
  for (const name of remove) url.searchParams.delete(name);
  for (const [name, value] of Object.entries(set)) url.searchParams.set(name, value);
  reply.header('location', url.href);
}

/** Waits for the end of the answer, because hooks add headers until then. */
function corruptFraming(rule: FaultRule, reply: FastifyReply, body: Buffer, write: (wire: WireScript) => void): void {
  const { raw, request } = reply;
  const end = () => {
    reply.hijack();
    write(
      wireScriptOf(rule, {
        status: reply.statusCode,
        headers: reply.getHeaders() as OutgoingHttpHeaders,
        body,
        isHead: request.method === 'HEAD',
      }),
    );
    return raw;
  };
  Object.assign(raw, { writeHead: () => raw, end });
}

/**
 * The bytes of a payload. Undefined for an error, which Fastify sends again as a document, and for a stream, which no endpoint
 * sends.
 */
function bytesOf(payload: unknown): Buffer | undefined {
  if (payload === null || payload === undefined) return emptyBody;
  if (typeof payload === 'string') return Buffer.from(payload);
  if (Buffer.isBuffer(payload)) return payload;
  return isJsonDocument(payload) ? Buffer.from(JSON.stringify(payload)) : undefined;
}

function isJsonDocument(payload: unknown): payload is object {
  if (typeof payload !== 'object' || payload === null || payload instanceof Error || Buffer.isBuffer(payload))
    return false;
  return !('pipe' in payload);
}
