import { describe, expect, test } from 'vitest';
import { type Choice, NO_CHOICE, withFilter } from '../../src/directory/browse/choice.ts';
import { FEATURES } from '../../src/model/facts/fact-leaves.ts';
import { FACET_PATHS, pathOf, placeFrom, queryOf, START, urlOf } from '../../src/site/directory/choice-url.ts';
import { createLiveLinks, createStaticLinks } from '../../src/site/links.ts';

const placeWith = (changes: Partial<Choice>, page = 1) => ({ ...START, choice: { ...NO_CHOICE, ...changes }, page });

describe('the URL of a page of the directory', () => {
  test.each([
    [START, '/'],
    [placeWith({}, 3), '/page/3/'],
    [{ ...START, view: 'table' as const, page: 2 }, '/table/page/2/'],
    [placeWith({ registration: 'open' }), '/open/'],
    [placeWith({ version: '1.0.0-beta.9+build' }, 2), '/version/1.0.0-beta.9+build/page/2/'],
    [placeWith({ country: 'DE' }), '/country/de/'],
    [placeWith({ features: ['forYouFeed'] }), '/feature/for-you-feed/'],
    [placeWith({ 'maxVideoSizeMB.min': 100 }), '/upload-mb/100/'],
  ])('is a path for one filter in the default order', (place, path) => {
    expect(pathOf(place)).toBe(path);
  });

  test.each([
    [placeWith({ registration: 'open', order: 'users' }), 'registration=open&order=users'],
    [placeWith({ registration: 'open', status: 'up' }, 2), 'registration=open&status=up&page=2'],
    [placeWith({ features: ['forYouFeed', 'atomFeeds'] }), 'feature=forYouFeed&feature=atomFeeds'],
    [{ ...placeWith({ registration: 'open' }), view: 'table' as const }, 'registration=open&view=table'],
    [
      placeWith({ 'growth.min': 10, 'ageDays.min': 365, order: 'growth' }),
      'ageDays.min=365&growth.min=10&order=growth',
    ],
    [placeWith({ country: 'DE', network: 'Host & Sons, Ltd' }), 'country=DE&network=Host+%26+Sons%2C+Ltd'],
    [placeWith({ q: 'a&b=c"<' }), 'q=a%26b%3Dc%22%3C'],
  ])('is a query for any other choice, and is read back as the same choice', (place, query) => {
    expect(pathOf(place)).toBeNull();
    expect(urlOf(place, createLiveLinks())).toBe(`/?${query}`);
    expect(placeFrom(new URLSearchParams(query), START)).toEqual(place);
  });

  test.each(['..', '.', '../../etc', 'a/b', 'C:\\x', '%2e%2e', '', ' ', 'x'.repeat(80), '1.0<script>'])(
    'is a query for the version %j, which cannot name a folder',
    (version) => {
      expect(pathOf(placeWith({ version }))).toBeNull();
    },
  );

  test('is a different path for each filter with a fixed value', () => {
    const paths = FACET_PATHS.map(({ filter }) => pathOf({ ...START, choice: withFilter(NO_CHOICE, filter) }));
    expect(paths).not.toContain(null);
    expect(new Set(paths).size).toBe(FACET_PATHS.length);
  });

  test('is read without empty values, invalid page numbers, and unknown keys and values, which it names', () => {
    const query = new URLSearchParams('q=&registration=maybe&feature=&feature=teleport&page=-1&features=x&status=up');
    const { ignored, ...place } = placeFrom(query, START);
    expect({ ...place, ignored: [] }).toEqual(placeWith({ status: 'up' }));
    expect(ignored).toEqual([
      { key: 'registration', value: 'maybe', known: ['open', 'approval', 'closed', 'unknown'] },
      { key: 'feature', value: 'teleport', known: FEATURES.map(({ key }) => key) },
      { key: 'features', value: null, known: expect.arrayContaining(['q', 'feature', 'growth.min', 'order']) },
    ]);
  });

  test.each(['growth.min=1.5', 'growth.min=7', 'order=best', 'view=map', 'maxVideoSizeMB.min=1e2'])(
    'names the unknown value of ?%s',
    (query) => {
      expect(placeFrom(new URLSearchParams(query), START).ignored).toHaveLength(1);
    },
  );

  test('of a static site is relative to the page', () => {
    expect(urlOf(placeWith({ registration: 'open' }, 2), createStaticLinks('/version/1.2.0/'))).toBe(
      '../../open/page/2/',
    );
    expect(urlOf(START, createStaticLinks('/'))).toBe('./');
    expect(urlOf(placeWith({ q: 'cat' }), createStaticLinks('/open/'))).toBe('../?q=cat');
    expect(createStaticLinks('/').instance('loops.example:8443')).toBe('./instances/loops.example:8443/');
  });
});

test('the default choices have an empty query', () => {
  expect(String(queryOf(START))).toBe('');
});
