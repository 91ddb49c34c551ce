import { accountActorUrl, federationIsShown, hostOf, instanceActorUrl } from '../federation/actor-keys.ts';
import type { ResourceDescriptor } from '../resources/resources.ts';
import type { ReferenceState } from '../state.ts';
import { absoluteUrl } from './absolute-url.ts';
import type { Endpoint } from './endpoint.ts';
import { sendFailure } from './failure.ts';

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
