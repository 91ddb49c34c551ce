import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { oauthError, sendOAuthError } from '../oauth/oauth-error.ts';
import type { ReferenceState } from '../state.ts';
import { serverName, webAppPage } from '../web-app.ts';
import type { StateOf } from './endpoint.ts';

const oauthPath = /^\/oauth\/(?:token|revoke)(?:\?|$)/;

/** Says that a request cannot be served: in the words of OAuth at its endpoints, else as `{"message"}`. */
export function sendFailure(reply: FastifyReply, status: number, message: string): FastifyReply {
  if (oauthPath.test(reply.request.url)) return sendOAuthError(reply, oauthError('invalid_request', message), status);
  return reply.code(status).send({ message });
}

const apiPath = /^\/(?:api|oauth|nodeinfo|ap|\.well-known)\//;

/**
 * Whatever has no route: 405 with `Allow` when the path has one for another method, else 404 as JSON. In the profile `live` all
 * but the API is a page of the web app, which has status 200.
 */
type SendNotFound = (reply: FastifyReply) => FastifyReply;

export function createNotFound(stateOf: StateOf, methodsOf: MethodsOf): SendNotFound {
  return (reply) => {
    const { request } = reply;
    const { profile, config }: ReferenceState = stateOf(request);
    const known = methodsOf(request.url.split('?', 1)[0] ?? '');
    const isPage = known.length === 0 && profile === 'live' && !apiPath.test(request.url);
    const methods = isPage ? ['GET', 'HEAD'] : known;
    if (methods.length > 0 && !methods.includes(request.method)) {
      return sendFailure(
        reply.header('allow', methods.join(', ')),
        405,
        `The ${request.method} method is not supported here.`,
      );
    }
    if (isPage) {
      return reply
        .code(200)
        .type('text/html; charset=utf-8')
        .send(webAppPage(serverName(config)));
    }
    return reply.code(404).send({ message: 'Not Found.' });
  };
}

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

/** Which methods the routes of an app answer, by path. Asked for only when there is no answer. */
type MethodsOf = (path: string) => string[];

/** Listens for the routes that are added to `app` from now on. */
export function collectRouteMethods(app: FastifyInstance): MethodsOf {
  const methods = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = methods.get(url) ?? new Set();
    methods.set(url, known);
    for (const each of [method].flat()) known.add(each);
  });
  return (path) => {
    const [found] = [...methods].filter(([url]) => isPathOf(url, path));
    return [...(found?.[1] ?? [])].sort();
  };
}

/** Whether `path` is one of `pattern`, in which `:name` stands for one part. */
function isPathOf(pattern: string, path: string): boolean {
  const parts = pattern.split('/');
  const given = path.split('/');
  return parts.length === given.length && parts.every((part, index) => part.startsWith(':') || part === given[index]);
}
