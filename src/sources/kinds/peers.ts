import * as z from 'zod';
import { ownValue } from '../formats/read-item.ts';
import type { ListPage, ListPlan } from '../read-list.ts';
import { serverUrl, webSourceSettings } from './source-settings.ts';

/** The settings of a kind that reads the peers of one server. */
const peersSettings = <Type extends string>(type: Type, what: string, url: string) =>
  z.strictObject({
    ...webSourceSettings,
    type: z.literal(type).describe(what),
    url: serverUrl(`The server: ${url}.`),
  });

/** The problem and cure of a server that hides its list, by its status. */
const hidden = (list: string, statuses: readonly number[]) => (status: number) =>
  statuses.includes(status)
    ? {
        problem: `does not publish its ${list} (status ${status})`,
        cure: 'name another server, or switch the source off ("enabled": false)',
      }
    : null;

export const MastodonPeersSettings = peersSettings(
  'mastodon-peers',
  'The peers of a server of the Mastodon family.',
  'https://social.example',
).describe('GET /api/v1/instance/peers, as Mastodon, Pleroma, GoToSocial, Pixelfed and others answer it.');

/** Mastodon gives a list of hosts, GoToSocial a list of `{domain}`. Servers that hide their peers answer 401 or 404. */
export function mastodonPeersPlan({ url: server }: { readonly url: string }): ListPlan {
  return {
    first: {
      url: new URL('/api/v1/instance/peers', server),
      entries: ['*'],
      errorPath: ['error'],
      read: (entry) => ({ host: typeof entry === 'string' ? entry : ownValue(entry, ['domain']) }),
    },
    describeStatus: hidden('peers', [401, 403, 404]),
  };
}

export const LemmyFederatedSettings = peersSettings(
  'lemmy-federated',
  'The servers linked with a Lemmy or PieFed server.',
  'https://lemmy.example',
).describe(
  'GET /api/v3/federated_instances of Lemmy and others or, where it does not exist, /api/alpha/federated_instances of PieFed; servers it blocks are omitted.',
);

/** Linked servers are `{domain, software, version}`, or plain hosts in Lemmy 0.17 and older. Without federation, the value is `null`. */
export function lemmyFederatedPlan({ url: server }: { readonly url: string }): ListPlan {
  const pageAt = (path: string): ListPage => ({
    url: new URL(path, server),
    entries: ['federated_instances', 'linked', '*'],
    errorPath: ['error'],
    read: (entry) =>
      typeof entry === 'string'
        ? { host: entry }
        : { host: ownValue(entry, ['domain']), software: ownValue(entry, ['software']) },
  });
  const fallback = pageAt('/api/alpha/federated_instances');
  return { first: { ...pageAt('/api/v3/federated_instances'), fallback } };
}

export const MisskeyInstancesSettings = peersSettings(
  'misskey-instances',
  'The servers known to a server of the Misskey family.',
  'https://misskey.example',
).describe('POST /api/federation/instances, as Misskey, Sharkey, Firefish and others answer it.');

/** Maximum page size of Misskey and PeerTube; other servers return less. */
const PAGE = 100;

/** Requests pages by offset until one is empty; oldest first (in Misskey, `-` sorts ascending), so that servers added meanwhile do not shift the pages. */
export function misskeyInstancesPlan({ url: server }: { readonly url: string }): ListPlan {
  const pageAt = (offset: number): ListPage => ({
    url: new URL('/api/federation/instances', server),
    json: { limit: PAGE, offset, sort: '-firstRetrievedAt' },
    entries: ['*'],
    errorPath: ['error', 'message'],
    read: (entry) => ({ host: ownValue(entry, ['host']), software: ownValue(entry, ['softwareName']) }),
    next: ({ entries }) => (entries === 0 ? null : pageAt(offset + entries)),
  });
  return { first: pageAt(0), describeStatus: hidden('list of servers', [400, 401, 403, 404]) };
}

export const PeertubeFollowsSettings = peersSettings(
  'peertube-follows',
  'The servers that a PeerTube server follows, and that follow it.',
  'https://tube.example',
).describe('GET /api/v1/server/followers and /api/v1/server/following of PeerTube.');

/** The key of the other server in each list. */
const OTHER_SERVER_KEY = { followers: 'follower', following: 'following' } as const;

/** Requests pages by `start` until `total` or an empty page: first the followers, then the followed servers. The lists name no software. */
export function peertubeFollowsPlan({ url: server }: { readonly url: string }): ListPlan {
  const pageAt = (list: keyof typeof OTHER_SERVER_KEY, start: number): ListPage => {
    const url = new URL(`/api/v1/server/${list}`, server);
    url.search = new URLSearchParams({ start: String(start), count: String(PAGE), sort: 'createdAt' }).toString();
    return {
      url,
      entries: ['data', '*'],
      values: [['total']],
      errorPath: ['detail'],
      read: (entry) => ({ host: ownValue(entry, [OTHER_SERVER_KEY[list], 'host']) }),
      next: ({ entries, values: [total] }) => {
        const reached = start + entries;
        const isOver = entries === 0 || (typeof total === 'number' && reached >= total);
        if (!isOver) return pageAt(list, reached);
        return list === 'followers' ? pageAt('following', 0) : null;
      },
    };
  };
  return { first: pageAt('followers', 0) };
}
