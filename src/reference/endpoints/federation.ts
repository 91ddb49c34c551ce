import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { StoredAccount } from '../data/accounts.ts';
import type { ReferenceData } from '../data/open-data.ts';
import type { Actor, ResourceDescriptor } from '../resources.ts';
import { serverName } from '../resources.ts';
import { isFederationVisible, type ReferenceState } from '../state.ts';
import { absoluteUrl, type Endpoint } from './endpoint.ts';
import { sendFailure } from './errors.ts';

/** `GET /.well-known/webfinger` (RFC 7033): the actor URL of `acct:NAME@HOST`. */
export const webFingerEndpoint: Endpoint = (app, stateOf) => {
  app.get<{ Querystring: { resource?: string | string[] } }>('/.well-known/webfinger', async (request, reply) => {
    const state = stateOf(request);
    if (!isFederationVisible(state)) return reply.callNotFound();
    const { resource } = request.query;
    // RFC 7033 sections 4.1 and 4.2: exactly one resource.
    if (typeof resource !== 'string' || resource === '') return sendFailure(reply, 400, 'One resource must be named.');
    const found = findResource(state, resource);
    if (found === null) return reply.callNotFound();
    return reply.type('application/jrd+json; charset=utf-8').send(found);
  });
};

const actorType = 'application/activity+json';
const actorContentType = `${actorType}; charset=utf-8`;

/** `GET /ap/actor` and `GET /ap/users/{id}`: the ActivityPub actors of the server and of its accounts. */
export const actorEndpoint: Endpoint = (app, stateOf) => {
  app.get('/ap/actor', async (request, reply) => {
    const state = stateOf(request);
    if (!isFederationVisible(state)) return reply.callNotFound();
    return reply.type(actorContentType).send(instanceActor(state, await publicKeyOf(state.data)));
  });
  app.get<{ Params: { id: string } }>('/ap/users/:id', async (request, reply) => {
    const state = stateOf(request);
    const account = isFederationVisible(state) ? state.data.accounts.find(request.params.id) : undefined;
    if (account?.local !== true) return reply.callNotFound();
    return reply.type(actorContentType).send(accountActor(state, account, await publicKeyOf(state.data)));
  });
};

/** The descriptor of a resource of this server; null for any other resource. */
function findResource(state: ReferenceState, resource: string): ResourceDescriptor | null {
  const ownHost = hostOf(state.url);
  const [, name = '', host = ''] = /^acct:([^@]+)@([^@]+)$/i.exec(resource) ?? [];
  if (ownHost === null || host.toLowerCase() !== ownHost) return null;
  if (name.toLowerCase() === ownHost) {
    const href = instanceActorUrl(state.url);
    return { subject: `acct:${ownHost}@${ownHost}`, aliases: [href], links: [selfLink(href)] };
  }
  const account = state.data.accounts.findByUsername(name);
  if (account?.local !== true) return null;
  const href = accountActorUrl(state.url, account.id);
  const profile = absoluteUrl(state.url, account.url);
  return {
    subject: `acct:${account.username}@${ownHost}`,
    aliases: [profile, href],
    links: [{ rel: 'http://webfinger.net/rel/profile-page', type: 'text/html', href: profile }, selfLink(href)],
  };
}

function selfLink(href: string): ResourceDescriptor['links'][number] {
  return { rel: 'self', type: actorType, href };
}

function instanceActor({ url, config }: ReferenceState, publicKeyPem: string): Actor {
  return {
    ...commonActor(url, instanceActorUrl(url), 'Application', publicKeyPem),
    preferredUsername: hostOf(url) ?? '',
    name: serverName(config),
    url,
    manuallyApprovesFollowers: true,
  };
}

function accountActor({ url }: ReferenceState, account: StoredAccount, publicKeyPem: string): Actor {
  return {
    ...commonActor(url, accountActorUrl(url, account.id), 'Person', publicKeyPem),
    preferredUsername: account.username,
    name: account.name,
    url: absoluteUrl(url, account.url),
    manuallyApprovesFollowers: account.manually_approves_followers,
  };
}

/** The common part of both actors (ActivityPub section 4.1). The outboxes are not served: nothing federates. */
function commonActor<T extends Actor['type']>(baseUrl: string, id: string, type: T, publicKeyPem: string) {
  return {
    '@context': ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/v1'],
    id,
    type,
    inbox: `${id}/inbox`,
    outbox: `${id}/outbox`,
    endpoints: { sharedInbox: `${baseUrl}/ap/inbox` },
    publicKey: { id: `${id}#main-key`, owner: id, publicKeyPem },
  };
}

function instanceActorUrl(baseUrl: string): string {
  return `${baseUrl}/ap/actor`;
}

function accountActorUrl(baseUrl: string, id: string): string {
  return `${baseUrl}/ap/users/${encodeURIComponent(id)}`;
}

/** The host part of account names, with a non-default port; null when `url` is not a URL. */
function hostOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).host : null;
}

const generateKeys = promisify(generateKeyPair);
const publicKeySetting = 'publicKey';

/**
 * The public RSA key of all actors of a server, PEM; generated at the first request, then stored. The private key is discarded,
 * because nothing is ever signed.
 */
async function publicKeyOf(data: ReferenceData): Promise<string> {
  const stored = data.setting(publicKeySetting);
  if (stored !== undefined) return stored;
  const { publicKey } = await generateKeys('rsa', { modulusLength: 2048 });
  const generated = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  // A concurrent request or process may have stored a key already: the first one wins.
  return data.transaction(() => {
    const first = data.setting(publicKeySetting);
    if (first === undefined) data.setSetting(publicKeySetting, generated);
    return first ?? generated;
  });
}
