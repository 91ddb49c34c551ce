import * as z from 'zod';
import type { DomainOptions } from '../../model/domain/parse-domain.ts';
import { ownValue } from '../formats/json-items.ts';
import type { ListPage } from '../formats/list-page.ts';
import type { Source } from '../source.ts';
import { createListSource } from './create-list-source.ts';
import { serverUrl, softwareSetting, webSourceSettings } from './source-settings.ts';

export const FedidbSettings = z
  .strictObject({
    ...webSourceSettings,
    type: z.literal('fedidb').describe('The directory FediDB.'),
    url: serverUrl('Its API.').default('https://api.fedidb.org/'),
    software: softwareSetting,
    pauseSeconds: webSourceSettings.pauseSeconds
      .default(20)
      .describe('Minimum pause between two pages, in seconds; FediDB allows only a few requests per minute.'),
  })
  .describe('GET /v1/servers, 40 at a time.');
export type FedidbSettings = z.infer<typeof FedidbSettings>;

/** Maximum page size. */
const PAGE = 40;

/** `{"data": [{domain, software: {name, slug}}], "meta": {next_cursor}}`; the cursor of the last page is null. */
export function createFedidbSource(settings: Readonly<FedidbSettings>, domains: DomainOptions): Source {
  const { software } = settings;
  const pageAt = (cursor: string | null): ListPage => {
    const url = new URL('/v1/servers', settings.url);
    url.searchParams.set('limit', String(PAGE));
    if (software !== null) url.searchParams.set('software', software);
    if (cursor !== null) url.searchParams.set('cursor', cursor);
    return {
      url,
      entries: ['data', '*'],
      values: [['meta', 'next_cursor']],
      errorPath: ['message'],
      read: (entry) => ({
        host: ownValue(entry, ['domain']),
        // Older answers have no slug.
        software: ownValue(entry, ['software', 'slug']) ?? ownValue(entry, ['software', 'name']),
      }),
      next: ({ values: [next] }) => (typeof next === 'string' && next !== '' ? pageAt(next) : null),
    };
  };
  return createListSource(settings, domains, { first: pageAt(null) }, software ?? '');
}
