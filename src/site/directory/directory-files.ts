import { type Browsed, browse } from '../../directory/browse/browse.ts';
import { type Filter, NO_CHOICE, withFilter } from '../../directory/browse/choice.ts';
import type { Snapshot } from '../../directory/snapshot.ts';
import { pageFile, type StaticContext, type StaticFile } from '../static/static-file.ts';
import { FACET_PATHS, facetPath, type Place, pathOf, START } from './choice-url.ts';
import { directoryPage } from './directory-page.ts';
import { directoryView } from './directory-view.ts';
import { filterData } from './filter-data.ts';

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
