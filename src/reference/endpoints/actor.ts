import type { KeptAccount } from '../data/accounts.ts';
import { accountActorUrl, federationIsShown, hostOf, instanceActorUrl, publicKeyOf } from '../federation/actor-keys.ts';
import type { Actor } from '../resources/resources.ts';
import { serverName } from '../server-identity.ts';
import type { ReferenceState } from '../state.ts';
import { absoluteUrl } from './absolute-url.ts';
import type { Endpoint } from './endpoint.ts';

const contentType = 'application/activity+json; charset=utf-8';
const context = ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/v1'];

/** `GET /ap/actor` and `GET /ap/users/{id}`: the actors of ActivityPub, of the server itself and of its accounts. */
export const actorEndpoint: Endpoint = (app, stateOf) => {
  app.get('/ap/actor', async (request, reply) => {
    const state = stateOf(request);
    if (!federationIsShown(state)) return reply.callNotFound();
    return reply.type(contentType).send(instanceActor(state, await publicKeyOf(state.data)));
  });
  app.get<{ Params: { id: string } }>('/ap/users/:id', async (request, reply) => {
    const state = stateOf(request);
    const account = federationIsShown(state) ? state.data.accounts.find(request.params.id) : undefined;
    if (account?.local !== true) return reply.callNotFound();
    return reply.type(contentType).send(accountActor(state, account, await publicKeyOf(state.data)));
  });
};

function instanceActor(state: ReferenceState, publicKeyPem: string): Actor {
  const { url, config } = state;
  return {
    ...actor(url, instanceActorUrl(url), 'Application', publicKeyPem),
    preferredUsername: hostOf(url) ?? '',
    name: serverName(config),
    url,
    manuallyApprovesFollowers: true,
  };
}

function accountActor({ url }: ReferenceState, account: KeptAccount, publicKeyPem: string): Actor {
  return {
    ...actor(url, accountActorUrl(url, account.id), 'Person', publicKeyPem),
    preferredUsername: account.username,
    name: account.name,
    url: absoluteUrl(url, account.url),
    manuallyApprovesFollowers: account.manually_approves_followers,
  };
}

/** What is the same of every actor (ActivityPub section 4.1). Inboxes and outboxes are named and not served: nothing federates here. */
function actor<T extends Actor['type']>(baseUrl: string, id: string, type: T, publicKeyPem: string) {
  return {
    '@context': context,
    id,
    type,
    inbox: `${id}/inbox`,
    outbox: `${id}/outbox`,
    endpoints: { sharedInbox: `${baseUrl}/ap/inbox` },
    publicKey: { id: `${id}#main-key`, owner: id, publicKeyPem },
  };
}
