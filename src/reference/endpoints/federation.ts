import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { KeptAccount } from '../data/accounts.ts';
import type { ReferenceData } from '../data/open-data.ts';
import type { Actor, ResourceDescriptor } from '../resources.ts';
import type { ReferenceState } from '../state.ts';
import { federationIsShown } from '../state.ts';
import { serverName } from '../web-app.ts';
import { absoluteUrl, type Endpoint } from './endpoint.ts';
import { sendFailure } from './errors.ts';

const generate = promisify(generateKeyPair);
const publicKeyFact = 'publicKey';

/**
 * The public key of a server's actors, PEM: RSA with 2048 bits, made when it is first asked for, and kept. Its private half is thrown
 * away, as nothing is ever signed with it.
 */
async function publicKeyOf(data: ReferenceData): Promise<string> {
  const kept = data.fact(publicKeyFact);
  if (kept !== undefined) return kept;
  const { publicKey } = await generate('rsa', { modulusLength: 2048 });
  const made = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  // Another request, or another process, may have been faster: the first key is the one that was told.
  return data.transaction(() => {
    const first = data.fact(publicKeyFact);
    if (first === undefined) data.setFact(publicKeyFact, made);
    return first ?? made;
  });
}

/** The address of the instance actor of a server at `baseUrl`. */
function instanceActorUrl(baseUrl: string): string {
  return `${baseUrl}/ap/actor`;
}

/** The address of the actor of the account with this id. */
function accountActorUrl(baseUrl: string, id: string): string {
  return `${baseUrl}/ap/users/${encodeURIComponent(id)}`;
}

/** The host that accounts of a server at `url` are named by, with its port when that is not the usual one; null for what is no URL. */
function hostOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).host : null;
}

/** `GET /.well-known/webfinger` (RFC 7033): where the actor of `acct:NAME@HOST` is. */
export const webFingerEndpoint: Endpoint = (app, stateOf) => {
  app.get<{ Querystring: { resource?: string | string[] } }>('/.well-known/webfinger', async (request, reply) => {
    const state = stateOf(request);
    if (!federationIsShown(state)) return reply.callNotFound();
    const { resource } = request.query;
    // RFC 7033 section 4.2: absent or malformed, which is also more than one (section 4.1).
    if (typeof resource !== 'string' || resource === '') return sendFailure(reply, 400, 'One resource must be named.');
    const found = describe(state, resource);
    if (found === null) return reply.callNotFound();
    return reply.type('application/jrd+json; charset=utf-8').send(found);
  });
};

/** What is known of a resource; null when it is none of this server's. */
function describe(state: ReferenceState, resource: string): ResourceDescriptor | null {
  const host = hostOf(state.url);
  const [, name = '', named = ''] = /^acct:([^@]+)@([^@]+)$/i.exec(resource) ?? [];
  if (host === null || named.toLowerCase() !== host) return null;
  if (name.toLowerCase() === host) {
    const href = instanceActorUrl(state.url);
    return { subject: `acct:${host}@${host}`, aliases: [href], links: [selfLink(href)] };
  }
  const account = state.data.accounts.findByUsername(name);
  if (account?.local !== true) return null;
  const href = accountActorUrl(state.url, account.id);
  const profile = absoluteUrl(state.url, account.url);
  return {
    subject: `acct:${account.username}@${host}`,
    aliases: [profile, href],
    links: [{ rel: 'http://webfinger.net/rel/profile-page', type: 'text/html', href: profile }, selfLink(href)],
  };
}

function selfLink(href: string): ResourceDescriptor['links'][number] {
  return { rel: 'self', type: 'application/activity+json', href };
}

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
