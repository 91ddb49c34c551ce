import type { FastifyReply } from 'fastify';
import { serverName, webAppPage } from '../server-identity.ts';
import type { ReferenceState } from '../state.ts';
import type { StateOf } from './endpoint.ts';
import { sendFailure } from './failure.ts';
import type { MethodsOf } from './route-methods.ts';

const apiPath = /^\/(?:api|oauth|nodeinfo|ap|\.well-known)\//;

/**
 * Whatever has no route: 405 with `Allow` when the path has one for another method, else 404 as JSON. In the profile `live` all
 * but the API is a page of the web app, which has status 200.
 */
export type SendNotFound = (reply: FastifyReply) => FastifyReply;

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
