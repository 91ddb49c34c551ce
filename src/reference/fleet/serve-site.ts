import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Answer, json } from './answer.ts';
import type { Site } from './kind.ts';

const notFound = json({ error: 'Not Found' }, 404);

/**
 * What a site answers to a request before, or instead of, the endpoints of the interface; undefined: those decide.
 * Counts down answers that are given only so many times.
 */
export function answerOf(site: Site, target: string): Answer | undefined {
  const page = site.pages !== undefined && Object.hasOwn(site.pages, target) ? site.pages[target] : undefined;
  const isSpent = page?.times === 0;
  if (page !== undefined && !isSpent) {
    if (page.times !== undefined) page.times -= 1;
    return page;
  }
  return site.state === undefined ? (site.rest ?? notFound) : undefined;
}

/** Sends an answer, with its fault if it has one. `reset` resets the connection from under the request. */
export function sendAnswer(answer: Answer, request: FastifyRequest, reply: FastifyReply, reset: () => void): void {
  const { status, headers, body, fault } = answer;
  if (fault === undefined) {
    reply.code(status).headers(headers).send(body);
    return;
  }
  reply.hijack();
  if (fault === 'reset') reset();
  if (fault === 'not-http') request.raw.socket.end('SSH-2.0-OpenSSH_9.9\r\n');
  if (fault === 'stall-in-body') {
    reply.raw.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
    reply.raw.write(body.slice(0, body.length >> 1));
  }
}
