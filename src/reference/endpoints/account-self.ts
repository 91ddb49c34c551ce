import type { StoredAccount } from '../data/accounts.ts';
import { authenticate, type BearerFailure, sendBearerFailure } from '../oauth/bearer.ts';
import { absoluteUrl, type Endpoint } from './endpoint.ts';

/** A token of an app has no user, whatever its scopes (specification section 5). */
const noUser: BearerFailure = {
  status: 403,
  challenge: 'Bearer realm="Loops", error="insufficient_scope", error_description="The access token has no user."',
  message: 'The access token was given to an app, without a user.',
};

/** `GET /api/v1/account/info/self`, endpoint 5 of the specification. */
export const accountSelfEndpoint: Endpoint = (app, stateOf) => {
  app.get('/api/v1/account/info/self', (request, reply) => {
    const state = stateOf(request);
    const { token, failure } = authenticate(request, state, 'read');
    if (token === undefined) return sendBearerFailure(reply, failure);
    const account = token.accountId === null ? undefined : state.data.accounts.find(token.accountId);
    if (account === undefined) return sendBearerFailure(reply, noUser);
    return reply.header('cache-control', 'no-store').send({ data: accountDocument(account, state.url) });
  });
};

/** The account resource as its owner sees it, specification section 2.3. */
function accountDocument(account: StoredAccount, baseUrl: string): Record<string, unknown> {
  const { id, name, avatar, username, local, ...rest } = account;
  return {
    id,
    name,
    avatar: absoluteUrl(baseUrl, avatar),
    username,
    is_owner: true,
    local,
    ...rest,
    url: absoluteUrl(baseUrl, account.url),
    is_blocking: null,
  };
}
