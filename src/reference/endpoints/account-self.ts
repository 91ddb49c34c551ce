import type { StoredAccount } from '../data/accounts.ts';
import type { ReferenceState } from '../state.ts';
import { absoluteUrl, type Endpoint } from './endpoint.ts';
import { requireUser } from './require-user.ts';

/** `GET /api/v1/account/info/self`, endpoint 5 of the specification. */
export const accountSelfEndpoint: Endpoint = (app, stateOf) => {
  app.get('/api/v1/account/info/self', (request, reply) => {
    const state = stateOf(request);
    const account = requireUser(request, reply, state, 'read');
    return account === null ? reply : reply.send({ data: accountDocument(account, state) });
  });
};

/** The account resource as its owner sees it, specification section 2.3. Live servers add `accepts_dms`. */
export function accountDocument(
  account: StoredAccount,
  { url: baseUrl, profile }: Pick<ReferenceState, 'url' | 'profile'>,
): Record<string, unknown> {
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
    ...(profile === 'live' ? { accepts_dms: false } : {}),
  };
}
