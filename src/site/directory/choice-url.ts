import {
  type Choice,
  type Filter,
  filtersOf,
  NAMES,
  NO_CHOICE,
  ORDERS,
  withFilter,
} from '../../directory/browse/choice.ts';
import { MINIMUMS, type Minimum, STEPS } from '../../directory/measures.ts';
import { FEATURES } from '../../model/facts/fact-leaves.ts';
import type { Links } from '../links.ts';

/** One page of the directory, as its URL names it. */
export interface Place {
  readonly choice: Choice;
  readonly view: 'cards' | 'table';
  /** From 1. */
  readonly page: number;
  /** What the URL asks for and the directory does not have. */
  readonly ignored: readonly Ignored[];
}

/** An unknown parameter, with the known ones; or one whose value is unknown, with the known values. */
export interface Ignored {
  readonly key: string;
  readonly value: string | null;
  readonly known: readonly string[];
}

export const START: Place = { choice: NO_CHOICE, view: 'cards', page: 1, ignored: [] };

const MINIMUM_PATHS: Readonly<Record<Minimum, string>> = {
  'maxVideoSizeMB.min': 'upload-mb',
  'maxVideoDurationSeconds.min': 'video-seconds',
  'ageDays.min': 'known-days',
  'growth.min': 'growth',
};

/** The filters with a path of their own. Versions and countries have one too: `version/1.2.0`, `country/de`. */
export const FACET_PATHS: readonly { readonly path: string; readonly filter: Filter }[] = [
  { path: 'open', filter: { key: 'registration', value: 'open' } },
  { path: 'by-approval', filter: { key: 'registration', value: 'approval' } },
  { path: 'closed', filter: { key: 'registration', value: 'closed' } },
  { path: 'registration-unknown', filter: { key: 'registration', value: 'unknown' } },
  { path: 'newest-version', filter: { key: 'standing', value: 'current' } },
  { path: 'behind', filter: { key: 'standing', value: 'behind' } },
  { path: 'far-behind', filter: { key: 'standing', value: 'far-behind' } },
  { path: 'version-unknown', filter: { key: 'standing', value: 'unknown' } },
  ...FEATURES.map(({ key }) => ({
    path: `feature/${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    filter: { key: 'feature', value: key } as const,
  })),
  ...MINIMUMS.flatMap((key) =>
    STEPS[key].map((value) => ({ path: `${MINIMUM_PATHS[key]}/${value}`, filter: { key, value } as const })),
  ),
  { path: 'up', filter: { key: 'status', value: 'up' } },
  { path: 'down', filter: { key: 'status', value: 'down' } },
];

/** A version that can be the name of a folder. Other servers can report any text as their version. */
const FOLDER_NAME = /^[0-9a-z][0-9a-z.+-]{0,60}$/i;

/** The path of the pages with one filter, without slashes around it; null when the filter has none. */
export function facetPath(filter: Filter): string | null {
  if (filter.key === 'version') return FOLDER_NAME.test(filter.value) ? `version/${filter.value}` : null;
  if (filter.key === 'country') return /^[A-Z]{2}$/.test(filter.value) ? `country/${filter.value.toLowerCase()}` : null;
  return FACET_PATHS.find(({ filter: { key, value } }) => key === filter.key && value === filter.value)?.path ?? null;
}

/**
 * The path of a page, such as `/open/page/2/`. Null when the order is not the default, when several filters or a filter without a path are
 * chosen, and for a filtered table.
 */
export function pathOf({ choice, view, page }: Place): string | null {
  const filters = filtersOf(choice);
  const [filter] = filters;
  if (choice.order !== 'fair' || filters.length > 1 || (filter !== undefined && view === 'table')) return null;
  const facet = filter === undefined ? (view === 'table' ? 'table' : '') : facetPath(filter);
  if (facet === null) return null;
  return ['', ...(facet === '' ? [] : [facet]), ...(page === 1 ? [] : ['page', page]), ''].join('/');
}

/** The URL of a page of the directory. On a static site, pages without a path exist only for its script. */
export function urlOf(place: Place, links: Links): string {
  const path = pathOf(place);
  return path === null ? links.directory(String(queryOf(place))) : links.page(path);
}

export function queryOf({ choice, view, page }: Place): URLSearchParams {
  const query = new URLSearchParams();
  for (const { key, value } of filtersOf(choice)) query.append(key, String(value));
  if (choice.order !== 'fair') query.set('order', choice.order);
  if (view !== 'cards') query.set('view', view);
  if (page !== 1) query.set('page', String(page));
  return query;
}

/** As long as a domain with `https://` before it. */
export const MAX_SEARCH_LENGTH = 260;

const VIEWS = ['cards', 'table'] as const;
/** The parameters with fixed values, with these. */
export const PARAMETERS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...Array.from(
    Map.groupBy(FACET_PATHS, ({ filter }) => filter.key),
    ([key, facets]) => [key, facets.map(({ filter }) => String(filter.value))] as const,
  ),
  ['order', ORDERS],
  ['view', VIEWS],
]);
export const FREE_PARAMETERS: readonly string[] = ['q', ...NAMES, 'page'];
const MAX_IGNORED = 5;

/**
 * Applies a query to a place. Parameters without a value are ignored; so are unknown values and parameters, which the page names, so that a
 * link from an older or newer version still leads somewhere.
 */
export function placeFrom(query: URLSearchParams, start: Place): Place {
  let { choice } = start;
  for (const [key, value] of query) {
    const filter = filterFrom(key, value);
    if (filter !== null) choice = withFilter(choice, filter);
  }
  const order = ORDERS.find((one) => one === query.get('order')) ?? choice.order;
  const page = /^[1-9]\d{0,6}$/.test(query.get('page') ?? '') ? Number(query.get('page')) : start.page;
  const view = VIEWS.find((one) => one === query.get('view')) ?? start.view;
  return { choice: { ...choice, order }, view, page, ignored: ignoredIn(query) };
}

function ignoredIn(query: URLSearchParams): Ignored[] {
  const ignored = [...query].flatMap(([key, text]): Ignored[] => {
    const value = text.trim();
    if (value === '' || FREE_PARAMETERS.includes(key)) return [];
    const known = PARAMETERS.get(key);
    if (known === undefined) return [{ key, value: null, known: [...FREE_PARAMETERS, ...PARAMETERS.keys()] }];
    return known.includes(value) ? [] : [{ key, value, known }];
  });
  return ignored.slice(0, MAX_IGNORED);
}

function filterFrom(key: string, value: string): Filter | null {
  const text = value.trim();
  if (text === '') return null;
  if (key === 'q') return { key, value: text.slice(0, MAX_SEARCH_LENGTH) };
  const name = NAMES.find((one) => one === key);
  if (name !== undefined) return { key: name, value: text };
  return FACET_PATHS.find(({ filter }) => filter.key === key && String(filter.value) === text)?.filter ?? null;
}
