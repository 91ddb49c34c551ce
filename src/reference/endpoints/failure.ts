import type { FastifyReply } from 'fastify';
import { oauthError, sendOAuthError } from '../oauth/oauth-error.ts';

const oauthPath = /^\/oauth\/(?:token|revoke)(?:\?|$)/;

/** Says that a request cannot be served: in the words of OAuth at its endpoints, else as `{"message"}`. */
export function sendFailure(reply: FastifyReply, status: number, message: string): FastifyReply {
  if (oauthPath.test(reply.request.url)) return sendOAuthError(reply, oauthError('invalid_request', message), status);
  return reply.code(status).send({ message });
}
