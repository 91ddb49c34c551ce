import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { sendFailure } from './failure.ts';
import type { SendNotFound } from './not-found.ts';

/** The largest body that is read, in bytes. */
export const bodyLimit = 65_536;

const messages: Readonly<Record<string, string>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: `The body is larger than ${bodyLimit} bytes.`,
  FST_ERR_CTP_EMPTY_JSON_BODY: 'The body is empty, and so it is not JSON.',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The body is not as long as Content-Length says.',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The body is not JSON.',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'The body must be application/json or application/x-www-form-urlencoded.',
};

/** Whatever goes wrong before an endpoint is asked, or inside one. */
export interface Fault {
  readonly code?: string;
  readonly statusCode?: number;
  readonly message: string;
}

/** Answers the requests that Fastify refuses, as JSON. */
export function addErrorAnswers(app: FastifyInstance, sendNotFound: SendNotFound): void {
  app.setErrorHandler((error: Fault, request, reply) => {
    // A path without a route is unknown, whatever is wrong with the body.
    if (request.is404 && (error.statusCode ?? 500) < 500) return sendNotFound(reply);
    return sendFault(reply, error);
  });
}

function sendFault(reply: FastifyReply, { code = '', statusCode = 500, message }: Fault): FastifyReply {
  if (statusCode >= 500) return sendFailure(reply, statusCode, `Server Error: ${message}`);
  return sendFailure(reply, statusCode, messages[code] ?? `${STATUS_CODES[statusCode] ?? 'Bad Request'}.`);
}

const clientErrors: Readonly<Record<string, [status: number, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not come in time.'],
  HPE_HEADER_OVERFLOW: [431, 'The request line and the headers are too large together.'],
};

/** Answers what is no HTTP request, or not yet, in the same form; no route was found for it, and no fault applies to it. */
export function answerClientError({ code = '' }: { code?: string }, socket: Socket): void {
  if (code === 'ECONNRESET' || socket.destroyed) return;
  const [status, message] = clientErrors[code] ?? [400, 'The request is not HTTP.'];
  const body = JSON.stringify({ message });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'access-control-allow-origin: *',
    'content-type: application/json; charset=utf-8',
    `content-length: ${body.length}`,
    'connection: close',
  ];
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  socket.destroy();
}
