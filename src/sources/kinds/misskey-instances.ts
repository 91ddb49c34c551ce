import * as z from 'zod';
import type { DomainOptions } from '../../model/domain/parse-domain.ts';
import { ownValue } from '../formats/json-items.ts';
import type { ListPage } from '../formats/list-page.ts';
import type { Source } from '../source.ts';
import { createListSource } from './create-list-source.ts';
import { serverUrl, webSourceSettings } from './source-settings.ts';

export const MisskeyInstancesSettings = z
  .strictObject({
    ...webSourceSettings,
    type: z.literal('misskey-instances').describe('The servers known to a server of the Misskey family.'),
    url: serverUrl('The server: https://misskey.example.'),
  })
  .describe('POST /api/federation/instances, as Misskey, Sharkey, Firefish and others answer it.');
export type MisskeyInstancesSettings = z.infer<typeof MisskeyInstancesSettings>;

/** Maximum page size of Misskey; other servers return less. */
const PAGE = 100;

/** Requests pages by offset until one is empty; oldest first (in Misskey, `-` sorts ascending), so that servers added meanwhile do not shift the pages. */
export function createMisskeyInstancesSource(
  settings: Readonly<MisskeyInstancesSettings>,
  domains: DomainOptions,
): Source {
  const pageAt = (offset: number): ListPage => ({
    url: new URL('/api/federation/instances', settings.url),
    json: { limit: PAGE, offset, sort: '-firstRetrievedAt' },
    entries: ['*'],
    errorPath: ['error', 'message'],
    read: (entry) => ({ host: ownValue(entry, ['host']), software: ownValue(entry, ['softwareName']) }),
    next: ({ entries }) => (entries === 0 ? null : pageAt(offset + entries)),
  });
  return createListSource(settings, domains, {
    first: pageAt(0),
    describeStatus: (status) =>
      [400, 401, 403, 404].includes(status)
        ? {
            problem: `does not publish its list of servers (status ${status})`,
            cure: 'name another server, or switch the source off ("enabled": false)',
          }
        : null,
  });
}
