import * as z from 'zod';
import { ownValue } from '../formats/read-item.ts';
import { NESTED } from '../formats/select-json.ts';
import { nextPageAt } from '../next-page.ts';
import type { ListPage, ListPlan } from '../read-list.ts';
import { webSourceSettings, webUrl } from './source-settings.ts';

const path = z.string().regex(/^[^.]+(?:\.[^.]+){0,15}$/, 'a dotted path, such as data.servers');
/** A path to one value. */
const keyPath = path.refine(
  (text) => !text.split('.').includes('*'),
  'a dotted path without "*", such as meta.next: it must lead to a single value',
);

/** Whether a cursor path leads into the list, where a cursor cannot be. */
function isInList(cursor: string, hosts: string): boolean {
  const keys = hosts.split('.');
  const list = keys.slice(0, keys.indexOf('*'));
  const cursorKeys = cursor.split('.');
  return list.every((key, index) => cursorKeys[index] === key);
}

export const JsonSourceSettings = z
  .strictObject({
    ...webSourceSettings,
    type: z.literal('json').describe('A JSON list on the web.'),
    url: webUrl('The list, or its first page.'),
    hosts: path
      .default('*')
      .refine((text) => text.split('.').includes('*'), 'a path with a "*" for the entries of the list')
      .describe(
        'Dotted path of the hosts, with "*" for each member of a list. "*": a list of hosts. "data.*.domain": {"data": [{"domain": ...}]}.',
      ),
    software: keyPath
      .optional()
      .describe(
        'Dotted path of the software name in an entry, starting after the last "*" of "hosts": "software.name".',
      ),
    next: z
      .discriminatedUnion('by', [
        z.strictObject({
          by: z.literal('cursor').describe('Each page contains a cursor for the next.'),
          path: keyPath.describe('Dotted path of the cursor or URL of the next page: "meta.next_cursor".'),
          parameter: z
            .string()
            .min(1)
            .optional()
            .describe('The query parameter for the cursor; without it, the cursor is a URL.'),
        }),
        z.strictObject({
          by: z.literal('page').describe('Pages are numbered.'),
          parameter: z.string().min(1).default('page').describe('The query parameter.'),
          first: z.int().min(0).default(1).describe('The number of the first page.'),
        }),
        z.strictObject({
          by: z.literal('offset').describe('Pages start at an offset in the list.'),
          parameter: z.string().min(1).default('offset').describe('The query parameter.'),
        }),
      ])
      .optional()
      .describe(
        'How the list is paged. Numbered pages and offsets end at an empty page, or one that does not exist (404). A Link header is followed without it.',
      ),
  })
  .superRefine(({ hosts, next }, context) => {
    if (next?.by === 'cursor' && isInList(next.path, hosts))
      context.addIssue({
        code: 'custom',
        path: ['next', 'path'],
        message: `a path outside the list at "hosts" (${hosts})`,
      });
  })
  .describe('A JSON list on the web.');
type JsonSourceSettings = z.infer<typeof JsonSourceSettings>;

/** A list whose shape is configured. The next page is never at another origin, because the remote side controls its URL. */
export function jsonPlan(settings: Readonly<JsonSourceSettings>): ListPlan {
  const keys = settings.hosts.split('.');
  const entryDepth = keys.lastIndexOf('*') + 1;
  const hostPath = keys.slice(entryDepth);
  const software = settings.software?.split('.');
  const { next } = settings;

  /** @param position the number or the offset of the page; unused with a cursor. */
  const pageAt = (url: URL, position: number): ListPage => ({
    url,
    entries: keys.slice(0, entryDepth),
    values: next?.by === 'cursor' ? [next.path.split('.')] : [],
    read: (entry) => ({
      host: ownValue(entry, hostPath),
      software: software && ownValue(entry, software),
    }),
    ...(next === undefined
      ? {}
      : {
          isCounted: next.by !== 'cursor',
          next: ({ entries, values: [cursor], url: base }) => {
            if (next.by === 'cursor') {
              if (cursor === NESTED) return `it has a list or an object, not a cursor, at "${next.path}"`;
              const target = typeof cursor === 'number' ? String(cursor) : cursor;
              if (typeof target !== 'string' || target === '') return null;
              if (next.parameter !== undefined) return pageAt(withParameter(url, next.parameter, target), 0);
              const following = nextPageAt(target, base);
              return typeof following === 'string' ? following : pageAt(following, 0);
            }
            if (entries === 0) return null;
            const nextPosition = position + (next.by === 'page' ? 1 : entries);
            return pageAt(withParameter(url, next.parameter, String(nextPosition)), nextPosition);
          },
        }),
  });
  const start = new URL(settings.url);
  const first =
    next?.by === 'page'
      ? pageAt(withParameter(start, next.parameter, String(next.first)), next.first)
      : pageAt(start, 0);
  return { first, detail: settings.hosts === '*' ? '' : settings.hosts };
}

function withParameter(url: URL, parameter: string, value: string): URL {
  const changed = new URL(url);
  changed.searchParams.set(parameter, value);
  return changed;
}
