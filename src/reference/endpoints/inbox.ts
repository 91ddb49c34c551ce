import type { onRequestHookHandler } from 'fastify';
import { isFederationVisible } from '../state.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * `POST /ap/inbox`, `/ap/actor/inbox` and `/ap/users/{id}/inbox`: where other servers deliver activities. An unsigned delivery gets 401; a
 * signed one is accepted and discarded, its signature unverified, because nothing federates here.
 */
export const inboxEndpoint: Endpoint = (app, stateOf) => {
  // Before the body is read: Loops refuses an unsigned delivery whatever it contains.
  const answerDelivery: onRequestHookHandler = async (request, reply) => {
    const state = stateOf(request);
    if (!isFederationVisible(state)) return reply.callNotFound();
    const { id } = request.params as { id?: string };
    if (id !== undefined && state.data.accounts.find(id)?.local !== true) return reply.callNotFound();
    const signature = String(request.headers.signature ?? '');
    if (signature === '') return reply.code(401).send({ error: 'Missing signature header' });
    if (!signature.includes('keyId=') || !signature.includes('signature='))
      return reply.code(401).send({ error: 'Malformed signature header' });
    return reply.code(202).send({ status: 'accepted' });
  };
  // The handler is never reached: the hook has answered.
  for (const path of ['/ap/inbox', '/ap/actor/inbox', '/ap/users/:id/inbox'])
    app.post(path, { onRequest: answerDelivery }, (_request, reply) => reply);
};
