import * as z from 'zod';
import type { DomainOptions } from '../../model/domain/parse-domain.ts';
import { ownValue } from '../formats/json-items.ts';
import type { Source } from '../source.ts';
import { createListSource } from './create-list-source.ts';
import { serverUrl, webSourceSettings } from './source-settings.ts';

export const MastodonPeersSettings = z
  .strictObject({
    ...webSourceSettings,
    type: z.literal('mastodon-peers').describe('The peers of a server of the Mastodon family.'),
    url: serverUrl('The server: https://social.example.'),
  })
  .describe('GET /api/v1/instance/peers, as Mastodon, Pleroma, GoToSocial, Pixelfed and others answer it.');
export type MastodonPeersSettings = z.infer<typeof MastodonPeersSettings>;

/** Mastodon gives a list of hosts, GoToSocial a list of `{domain}`. Servers that hide their peers answer 401 or 404. */
export function createMastodonPeersSource(settings: Readonly<MastodonPeersSettings>, domains: DomainOptions): Source {
  return createListSource(settings, domains, {
    first: {
      url: new URL('/api/v1/instance/peers', settings.url),
      entries: ['*'],
      errorPath: ['error'],
      read: (entry) => ({ host: typeof entry === 'string' ? entry : ownValue(entry, ['domain']) }),
    },
    describeStatus: (status) =>
      [401, 403, 404].includes(status)
        ? {
            problem: `does not publish its peers (status ${status})`,
            cure: 'name another server, or switch the source off ("enabled": false)',
          }
        : null,
  });
}
