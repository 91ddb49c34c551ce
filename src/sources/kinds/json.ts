import * as z from 'zod';
import type { DomainOptions } from '../../model/domain/parse-domain.ts';
import { ownValue } from '../formats/json-items.ts';
import type { ListPage } from '../formats/list-page.ts';
import type { Source } from '../source.ts';
import { createListSource } from './create-list-source.ts';
import { webSourceSettings, webUrl } from './source-settings.ts';

const path = z.string().regex(/^[^.]+(?:\.[^.]+){0,15}$/, 'keys with dots between them, such as data.servers');
/** Leads to one value. */
const keyPath = path.refine(
  (text) => !text.split('.').includes('*'),
  'keys with dots between them, such as meta.next: "*" stands for many values, and one is wanted',
);

/** Within the list there is no cursor: a page has one beside it. */
function isInList(cursor: string, hosts: string): boolean {
  const keys = hosts.split('.');
  const list = keys.slice(0, keys.indexOf('*'));
  const within = cursor.split('.');
  return list.every((key, index) => within[index] === key);
}

/** What the settings say of a list in JSON. */
export const JsonSourceSettings = z
  .strictObject({
    ...webSourceSettings,
    type: z.literal('json').describe('A list in JSON on the web.'),
    url: webUrl('The list, or its first page.'),
    hosts: path
      .default('*')
      .refine((text) => text.split('.').includes('*'), 'a path with a "*" where the entries of the list stand')
      .describe(
        'Where the hosts stand: keys with dots between them, "*" for each member of a list. "*": a list of hosts. "data.*.domain": {"data": [{"domain": ...}]}.',
      ),
    software: keyPath
      .optional()
      .describe('Where the name of the software stands in an entry, from the last "*" of "hosts" on: "software.name".'),
    next: z
      .discriminatedUnion('by', [
        z.strictObject({
          by: z.literal('cursor').describe('Each page names the next.'),
          path: keyPath.describe('Where a page has the cursor of the next, or its URL: "meta.next_cursor".'),
          parameter: z
            .string()
            .min(1)
            .optional()
            .describe('The parameter of the query that a cursor is sent in; without it, the page gives a URL.'),
        }),
        z.strictObject({
          by: z.literal('page').describe('Pages are numbered.'),
          parameter: z.string().min(1).default('page').describe('The parameter of the query.'),
          first: z.int().min(0).default(1).describe('The number of the first page.'),
        }),
        z.strictObject({
          by: z.literal('offset').describe('Pages begin at a place in the list.'),
          parameter: z.string().min(1).default('offset').describe('The parameter of the query.'),
        }),
      ])
      .optional()
      .describe(
        'How the list goes on. Numbered pages and offsets end with an empty one. Unless given, it is one document.',
      ),
  })
  .superRefine(({ hosts, next }, context) => {
    if (next?.by === 'cursor' && isInList(next.path, hosts))
      context.addIssue({
        code: 'custom',
        path: ['next', 'path'],
        message: `a path beside the list: by "hosts" (${hosts}), a list stands there`,
      });
  })
  .describe('A list in JSON on the web, read as it comes.');
export type JsonSourceSettings = z.infer<typeof JsonSourceSettings>;

/** A list whose form the settings tell. The next page is never on another host: its address is the world's. */
export function createJsonSource(settings: Readonly<JsonSourceSettings>, domains: DomainOptions): Source {
  const keys = settings.hosts.split('.');
  const last = keys.lastIndexOf('*') + 1;
  const inEntry = keys.slice(last);
  const software = settings.software?.split('.');
  const { next } = settings;

  const pageAt = (url: URL, start: number): ListPage => ({
    url,
    entries: keys.slice(0, last),
    values: next?.by === 'cursor' ? [next.path.split('.')] : [],
    read: (entry) => ({
      host: ownValue(entry, inEntry),
      ...(software === undefined ? {} : { software: ownValue(entry, software) }),
    }),
    ...(next === undefined
      ? {}
      : {
          next: ({ entries, values: [cursor] }) => {
            if (next.by === 'cursor') {
              const following = followingUrl(url, cursor, next.parameter);
              return following === null ? null : pageAt(following, 0);
            }
            if (entries === 0) return null;
            const reached = start + (next.by === 'page' ? 1 : entries);
            return pageAt(withParameter(url, next.parameter, String(reached)), reached);
          },
        }),
  });
  const reads = settings.hosts === '*' ? '' : settings.hosts;
  return createListSource(settings, domains, { first: firstPage(settings, pageAt) }, reads);
}

function firstPage(
  { url, next }: Readonly<JsonSourceSettings>,
  pageAt: (url: URL, start: number) => ListPage,
): ListPage {
  const first = new URL(url);
  if (next?.by !== 'page') return pageAt(first, 0);
  return pageAt(withParameter(first, next.parameter, String(next.first)), next.first);
}

/** Null when the page names no other, or one on another host. */
function followingUrl(url: URL, cursor: unknown, parameter: string | undefined): URL | null {
  if ((typeof cursor !== 'string' && typeof cursor !== 'number') || cursor === '') return null;
  if (parameter !== undefined) return withParameter(url, parameter, String(cursor));
  const following = URL.parse(String(cursor), url.href);
  return following?.origin === url.origin ? following : null;
}

function withParameter(url: URL, parameter: string, value: string): URL {
  const changed = new URL(url);
  changed.searchParams.set(parameter, value);
  return changed;
}
