import * as z from 'zod';
import { ownValue } from '../formats/read-item.ts';
import type { ListPage, ListPlan } from '../read-list.ts';
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
  .describe('GET /v1.1/software/SOFTWARE/servers, or /v1.1/servers for all software, 40 at a time.');

const PAGE = 40;

/**
 * `{"data": [{domain, software: {name, slug, version}}], "links": {next}, "meta": {next_cursor}}`; both are null on the last page. `small`
 * includes servers with few users.
 */
export function fedidbPlan({ url: server, software }: Readonly<z.infer<typeof FedidbSettings>>): ListPlan {
  const pageAt = (cursor: string | null): ListPage => {
    const url = new URL(software === null ? '/v1.1/servers' : `/v1.1/software/${software}/servers`, server);
    url.searchParams.set('limit', String(PAGE));
    url.searchParams.set('sort_by', 'user_count');
    url.searchParams.set('small', '1');
    if (cursor !== null) url.searchParams.set('cursor', cursor);
    return {
      url,
      entries: ['data', '*'],
      values: [
        ['meta', 'next_cursor'],
        ['links', 'next'],
      ],
      errorPath: ['message'],
      read: (entry) => ({
        host: ownValue(entry, ['domain']),
        // Some answers have no slug; in the list of one software, an entry may omit it.
        software: ownValue(entry, ['software', 'slug']) ?? ownValue(entry, ['software', 'name']) ?? software,
      }),
      next: ({ values: [cursor, link] }) => {
        const next = typeof cursor === 'string' && cursor !== '' ? cursor : cursorOf(link);
        return next === null ? null : pageAt(next);
      },
    };
  };
  const accessCure = 'ask the owner of FediDB for access, or switch the source off ("enabled": false)';
  return { first: pageAt(null), accessCure, detail: software ?? '' };
}

function cursorOf(link: unknown): string | null {
  return typeof link === 'string' ? (URL.parse(link)?.searchParams.get('cursor') ?? null) : null;
}
