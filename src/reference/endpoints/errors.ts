import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { oauthError, sendOAuthError } from '../oauth/oauth-error.ts';
import { serverName } from '../resources.ts';
import type { Profile } from '../state.ts';
import { webAppPage } from '../web-app.ts';
import type { StateOf } from './endpoint.ts';

/** The largest accepted body, in bytes. */
export const bodyLimit = 65_536;

const messageOfCode: Readonly<Record<string, string>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: `The body is larger than ${bodyLimit} bytes.`,
  FST_ERR_CTP_EMPTY_JSON_BODY: 'The body is empty, and so it is not JSON.',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The length of the body differs from Content-Length.',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The body is not JSON.',
  MALFORMED_MULTIPART: 'The body is not multipart/form-data with the boundary of its Content-Type.',
  FST_ERR_CTP_INVALID_MEDIA_TYPE:
    'The body must be JSON or a form (application/x-www-form-urlencoded or multipart/form-data).',
};

/** An error of Fastify or of an endpoint. */
interface RequestError {
  readonly code?: string;
  readonly statusCode?: number;
  readonly message: string;
}

/** Answers errors of Fastify and of endpoints as JSON. */
export function addErrorAnswers(app: FastifyInstance, sendNotFound: SendNotFound): void {
  app.setErrorHandler((error: RequestError, request, reply) => {
    // A request without a route gets 404, even if its body is invalid too.
    if (request.is404 && (error.statusCode ?? 500) < 500) return sendNotFound(reply);
    return sendError(reply, error);
  });
}

function sendError(reply: FastifyReply, { code = '', statusCode = 500, message }: RequestError): FastifyReply {
  if (statusCode >= 500) return sendFailure(reply, statusCode, `Server Error: ${message}`);
  return sendFailure(reply, statusCode, messageOfCode[code] ?? `${STATUS_CODES[statusCode] ?? 'Bad Request'}.`);
}

const oauthPath = /^\/oauth\/(?:token|revoke)(?:\?|$)/;

/** Sends an error as an OAuth error body at the token and revocation endpoints, else as `{"message"}`. */
export function sendFailure(reply: FastifyReply, status: number, message: string): FastifyReply {
  if (oauthPath.test(reply.request.url)) return sendOAuthError(reply, oauthError('invalid_request', message), status);
  return reply.code(status).send({ message });
}

const clientErrorOfCode: Readonly<Record<string, [status: number, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request was not complete in time.'],
  HPE_HEADER_OVERFLOW: [431, 'The request line and the headers are too large together.'],
};

/** Answers bytes that are not a complete HTTP request. No route and no fault rule applies to them. */
export function answerClientError({ code = '' }: { code?: string }, socket: Socket): void {
  if (code === 'ECONNRESET' || socket.destroyed) return;
  const [status, message] = clientErrorOfCode[code] ?? [400, 'The request is not HTTP.'];
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

const apiPath = /^\/(?:api|oauth|nodeinfo|ap|\.well-known)\//;

/**
 * Answers a request without a route: 405 with `Allow` when the path supports another method, else 404 as JSON. In the profile
 * `live`, GET and HEAD of every path outside the API get a file or the page of the web app with status 200; in `spec`, only the stored file.
 */
export type SendNotFound = (reply: FastifyReply) => FastifyReply;

export function createNotFound(stateOf: StateOf, methodsOf: MethodsOf): SendNotFound {
  return (reply) => {
    const { request } = reply;
    const { profile, config } = stateOf(request);
    const path = request.url.split('?', 1)[0] ?? '';
    const routeMethods = methodsOf(path, profile);
    const file = profile === 'live' || path.startsWith('/storage/') ? FILES[path] : undefined;
    const isPage = routeMethods.length === 0 && profile === 'live' && !apiPath.test(request.url);
    const methods = isPage || file !== undefined ? ['GET', 'HEAD'] : routeMethods;
    if (methods.length > 0 && !methods.includes(request.method)) {
      const message = `The ${request.method} method is not supported here.`;
      return sendFailure(reply.header('allow', methods.join(', ')), 405, message);
    }
    if (file !== undefined) return reply.code(200).type(file.type).send(file.content);
    if (isPage)
      return reply
        .code(200)
        .type('text/html; charset=utf-8')
        .send(webAppPage(serverName(config)));
    return reply.code(404).send({ message: 'Not Found.' });
  };
}

/** Files that live servers ship: the script and the style sheet of the web app, and the avatar of an account without one. */
const FILES: Readonly<Record<string, { type: string; content: string | Buffer }>> = {
  '/assets/app.js': { type: 'text/javascript; charset=utf-8', content: 'document.body.dataset.ready = "";\n' },
  '/assets/app.css': { type: 'text/css; charset=utf-8', content: ':root { color-scheme: light dark; }\n' },
  '/storage/avatars/default.jpg': {
    type: 'image/jpeg',
    content: Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex'),
  },
};

/** The methods of the routes of a path in a profile, sorted; empty when there is no route. */
export type MethodsOf = (path: string, profile: Profile) => string[];

/** Collects the methods of all routes that are added to `app` from now on. */
export function collectRouteMethods(app: FastifyInstance): MethodsOf {
  const routes: { url: string; methods: string[]; profile: Profile | undefined }[] = [];
  app.addHook('onRoute', ({ url, method, config }) => {
    routes.push({ url, methods: [method].flat(), profile: config?.profile });
  });
  return (path, profile) => {
    const found = routes.filter((route) => matchesPattern(route.url, path) && (route.profile ?? profile) === profile);
    return [...new Set(found.flatMap(({ methods }) => methods))].sort();
  };
}

/** Whether `path` matches `pattern`, in which `:name` matches one segment. */
function matchesPattern(pattern: string, path: string): boolean {
  const parts = pattern.split('/');
  const segments = path.split('/');
  return (
    parts.length === segments.length && parts.every((part, index) => part.startsWith(':') || part === segments[index])
  );
}
