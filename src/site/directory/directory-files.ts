import { type Browsed, browse } from '../../directory/browse/browse.ts';
import { type Filter, NO_CHOICE, withFilter } from '../../directory/browse/choice.ts';
import { fairOrder } from '../../directory/browse/fair-order.ts';
import { filterValuesOf } from '../../directory/browse/filter-values.ts';
import { MINIMUMS, STEPS } from '../../directory/measures.ts';
import type { Snapshot } from '../../directory/snapshot.ts';
import { FEATURES } from '../../model/facts/fact-leaves.ts';
import { staticSite, type Words } from '../site.ts';
import { pageFile, type StaticContext, type StaticFile } from '../static/static-file.ts';
import { FACET_PATHS, FREE_PARAMETERS, facetPath, PARAMETERS, type Place, pathOf, START } from './choice-url.ts';
import { directoryPage } from './directory-page.ts';
import { directoryView, PER_PAGE } from './directory-view.ts';
import { faceOf } from './face.ts';
import { filterName } from './filter-names.ts';
import { shortened, videoLimits } from './instance-card.ts';
import { COLUMNS } from './instance-table.ts';

/** Servers can invent any number of versions, so only the newest ones have pages. */
const MAX_VERSIONS = 30;

/** The filters that find something and have pages of their own. */
export function facetsOf(snapshot: Snapshot): Filter[] {
  const unfiltered = browse(snapshot, NO_CHOICE);
  const versions = [...unfiltered.version.keys()]
    .flatMap((value): Filter[] => (value === null ? [] : [{ key: 'version', value }]))
    .filter((filter) => facetPath(filter) !== null)
    .slice(0, MAX_VERSIONS);
  const countries = [...unfiltered.country.keys()].flatMap((value): Filter[] =>
    value === null ? [] : [{ key: 'country', value }],
  );
  return [
    ...FACET_PATHS.map(({ filter }) => filter).filter((filter) => countOf(unfiltered, filter) > 0),
    ...countries,
    ...versions,
  ];
}

function countOf(browsed: Browsed, { key, value }: Filter): number {
  if (key === 'q') return 0;
  return (browsed[key] as ReadonlyMap<string | number | null, number>).get(value) ?? 0;
}

/** The directory, as cards and as a table, and the pages of each filter that finds something. */
export function* directoryFiles(context: StaticContext): Iterable<StaticFile> {
  yield* listFiles(START, context);
  yield* listFiles({ ...START, view: 'table' }, context);
  for (const filter of facetsOf(context.snapshot))
    yield* listFiles({ ...START, choice: withFilter(NO_CHOICE, filter) }, context);
  yield { path: 'filter.json', body: () => filterData(context) };
}

/** Every page of one list. */
function* listFiles(start: Place, context: StaticContext): Iterable<StaticFile> {
  const { snapshot } = context;
  const first = directoryView(snapshot, start, 'static');
  if (first === null) return;
  for (let page = 1; page <= first.pages; page++) {
    const place = { ...start, page };
    const path = pathOf(place);
    if (path === null) return;
    yield pageFile(path, context, (site) => {
      const view = page === 1 ? first : directoryView(snapshot, place, site.mode);
      if (view === null) throw new RangeError(`${path} is not a page of the directory`);
      return directoryPage(view, site);
    });
  }
}

/**
 * `filter.json`: every instance with what cards show and filters need, in fair order, and the words of the script that reads it,
 * `assets/site.js`.
 */
function filterData({ snapshot, brand }: StaticContext): string {
  const { words } = staticSite({ path: '/', at: null, brand });
  const unfiltered = browse(snapshot, NO_CHOICE);
  const versions = [...unfiltered.version.keys()].filter((version) => version !== null);
  const countries = [...unfiltered.country.keys()].filter((country) => country !== null);
  const versionIndexes = new Map(versions.map((version, index) => [version, index]));
  const filterValues = filterValuesOf(snapshot);
  const { format } = words;
  const texts = new Map<string, number>();
  const rows = fairOrder(snapshot).flatMap((instance): Row[] => {
    const { entry, counts } = instance;
    const { maxVideoSizeMB: size, maxVideoDurationSeconds: length } = entry.limits;
    const values = filterValues.get(instance);
    if (values === undefined) return [];
    const { registration, standing, version, country, network, status, features } = values;
    return [
      [
        entry.domain,
        entry.name,
        shortened(entry.description ?? ''),
        registration,
        registration === 'approval' ? entry.registration.mode : null,
        standing,
        version === null ? null : (versionIndexes.get(version) ?? null),
        status,
        features === null ? null : FEATURES.flatMap(({ key }, index) => (features.includes(key) ? [index] : [])),
        counts.users,
        counts.posts,
        entry.uptime.month,
        indexIn(texts, videoLimits(entry, words)),
        secondsOf(entry.firstSeen),
        status === 'down' && entry.lastSeen !== null ? secondsOf(entry.lastSeen) : null,
        faceOf(entry.domain),
        MINIMUMS.map((minimum) => values[minimum]),
        size === null ? null : indexIn(texts, format.megabytes(size)),
        length === null ? null : indexIn(texts, format.duration(length)),
        country,
        network === null ? null : indexIn(texts, network),
      ],
    ];
  });
  const features = FEATURES.map(({ key }) => key);
  return JSON.stringify({
    words: scriptWords(words, countries),
    perPage: PER_PAGE,
    features,
    versions,
    texts: [...texts.keys()],
    steps: STEPS,
    parameters: Object.fromEntries(PARAMETERS),
    free: FREE_PARAMETERS,
    columns: COLUMNS,
    rows,
  });
}

function secondsOf(time: string): number {
  return Math.floor(Date.parse(time) / 1_000);
}

/** The index of a text in a list of distinct texts; a new text is appended. */
function indexIn(texts: Map<string, number>, text: string): number {
  const index = texts.get(text) ?? texts.size;
  texts.set(text, index);
  return index;
}

/**
 * An instance, as a list to save bytes. `version` and `features` are indexes into the lists `versions` and `features`; `videos`, `size` and
 * `length` and `network` into `texts`. `numbers` are those of `steps`; times are in seconds since the epoch.
 */
type Row = readonly [
  domain: string,
  name: string | null,
  text: string,
  registration: string,
  mode: string | null,
  standing: string,
  version: number | null,
  status: string,
  features: readonly number[] | null,
  users: number | null,
  posts: number | null,
  uptime: number | null,
  videos: number,
  firstSeen: number,
  lastUp: number | null,
  face: number,
  numbers: readonly (number | null)[],
  size: number | null,
  length: number | null,
  country: string | null,
  network: number | null,
];

/** The words of the script. The name in braces marks where a sentence gets a value. */
function scriptWords(words: Words, countries: readonly string[]) {
  const { directory, frame, format } = words;
  const { results, card, pages, filters } = directory;
  const rules = new Intl.PluralRules(format.locale);
  // Every form of a plural occurs below 1,000, apart from those of millions in some languages.
  const plural = (text: (count: number) => string): Readonly<Record<string, string>> =>
    Object.fromEntries([...Array(1_000).keys(), 1_000_000].map((count) => [rules.select(count), text(count)]));
  return {
    name: frame.name,
    locale: format.locale,
    title: directory.title,
    facetTitle: directory.facetTitle('{filters}'),
    all: plural((count) => results.all(count, '{found}')),
    found: plural((count) => results.found(count, '{found}', '{all}')),
    up: results.up('{count}'),
    hideDown: results.hideDown('{count}'),
    none: results.none,
    without: plural((count) => results.without('{filter}', count, '{found}')),
    clear: results.clear,
    remove: results.remove,
    searched: results.searched('{text}'),
    failed: results.failed,
    chosen: filters.chosen('{count}'),
    pages: { ...pages, of: pages.of('{page}', '{pages}') },
    card: { ...card, since: card.since('{date}'), growth: card.growth('{change}') },
    table: directory.table,
    registration: directory.registration,
    mode: directory.mode('{mode}'),
    standing: directory.standingTag,
    status: directory.status,
    downTag: directory.downTag('{date}'),
    features: directory.features,
    noVersion: directory.noVersion,
    version: directory.version('{version}'),
    unknown: filters.unknown('{count}'),
    show: plural((count) => filters.show(count, '{found}')),
    unknownKey: results.unknownKey('{key}', '{known}'),
    unknownValue: results.unknownValue('{key}', '{value}', '{known}'),
    unknownFeatures: filters.unknownFeatures('{count}'),
    filters: Object.fromEntries(
      [
        ...FACET_PATHS.map(({ filter }) => filter),
        ...countries.map((value): Filter => ({ key: 'country', value })),
      ].map((filter) => [keyOf(filter), filterName(filter, words)]),
    ),
  };
}

function keyOf({ key, value }: Filter): string {
  return `${key}=${value}`;
}
