import * as z from 'zod';
import type { DomainOptions } from '../../model/domain/parse-domain.ts';
import { ownValue } from '../formats/json-items.ts';
import type { ListPage } from '../formats/list-page.ts';
import type { Source } from '../source.ts';
import { createListSource } from './create-list-source.ts';
import { serverUrl, webSourceSettings } from './source-settings.ts';

export const PeertubeFollowsSettings = z
  .strictObject({
    ...webSourceSettings,
    type: z.literal('peertube-follows').describe('The servers that a PeerTube server follows, and that follow it.'),
    url: serverUrl('The server: https://tube.example.'),
  })
  .describe('GET /api/v1/server/followers and /api/v1/server/following of PeerTube.');
export type PeertubeFollowsSettings = z.infer<typeof PeertubeFollowsSettings>;

/** Maximum page size of PeerTube. */
const PAGE = 100;

/** The key of the other server in each list. */
const OTHER_SERVER_KEY = { followers: 'follower', following: 'following' } as const;

/** Requests pages by `start` until `total` or an empty page: first the followers, then the followed servers. The lists name no software. */
export function createPeertubeFollowsSource(
  settings: Readonly<PeertubeFollowsSettings>,
  domains: DomainOptions,
): Source {
  const pageAt = (list: keyof typeof OTHER_SERVER_KEY, start: number): ListPage => {
    const url = new URL(`/api/v1/server/${list}`, settings.url);
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
  return createListSource(settings, domains, { first: pageAt('followers', 0) });
}
