import { type Endpoint, onlyIn } from './endpoint.ts';
import { requireUser } from './require-user.ts';

/** `POST /api/v1/app/logout` of live servers: revokes every token of the user, those of other apps too. */
export const logoutEndpoint: Endpoint = (app, stateOf) => {
  app.post('/api/v1/app/logout', onlyIn('live'), (request, reply) => {
    const state = stateOf(request);
    const user = requireUser(request, reply, state);
    if (user === null) return reply;
    state.data.tokens.revokeAllOf(user.id);
    return reply.send({ message: 'Successfully logged out.' });
  });
};
