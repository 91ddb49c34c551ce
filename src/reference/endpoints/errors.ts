import { STATUS_CODES } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { sendFailure } from './failure.ts';
import type { SendNotFound } from './not-found.ts';

/** The largest body that is read, in bytes. */
export const bodyLimit = 65_536;

const messages: Readonly<Record<string, string>> = {
  FST_ERR_BAD_URL: 'The path is not percent-encoded as it should be.',
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
    if (request.is404) return sendNotFound(reply);
    return sendFault(reply, error);
  });
}

export function sendFault(reply: FastifyReply, { code = '', statusCode = 500, message }: Fault): FastifyReply {
  if (statusCode >= 500) return sendFailure(reply, statusCode, `Server Error: ${message}`);
  return sendFailure(reply, statusCode, messages[code] ?? `${STATUS_CODES[statusCode] ?? 'Bad Request'}.`);
}
