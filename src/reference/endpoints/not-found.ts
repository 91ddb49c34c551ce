import type { FastifyReply } from 'fastify';
import { serverName } from '../server-name.ts';
import type { ReferenceState } from '../state.ts';
import { webAppPage } from '../web-app-page.ts';
import type { StateOf } from './endpoint.ts';
import { sendFailure } from './failure.ts';
import type { MethodsOf } from './route-methods.ts';

const apiPath = /^\/(?:api|oauth|nodeinfo|\.well-known)\/|^\/robots\.txt$/;

/**
 * Whatever has no route: 405 with `Allow` when the path has one for another method, else 404 as JSON; in the profile `live`
 * the web app's page with status 200, but for the API.
 */
export type SendNotFound = (reply: FastifyReply) => FastifyReply;

export function createNotFound(stateOf: StateOf, methodsOf: MethodsOf): SendNotFound {
  return (reply) => {
    const { request } = reply;
    const methods = methodsOf(request.url.split('?', 1)[0] ?? '');
    if (methods.length > 0 && !methods.includes(request.method)) {
      return sendFailure(
        reply.header('allow', methods.join(', ')),
        405,
        `The ${request.method} method is not supported here.`,
      );
    }
    const { profile, config }: ReferenceState = stateOf(request);
    if (profile === 'live' && !apiPath.test(request.url)) {
      return reply
        .code(200)
        .type('text/html; charset=utf-8')
        .send(webAppPage(serverName(config)));
    }
    return reply.code(404).send({ message: 'Not Found.' });
  };
}
