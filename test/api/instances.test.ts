import semver from 'semver';
import { describe, expect, test } from 'vitest';
import type { InstanceEntry } from '../../src/directory/schema/instance-entry.ts';
import type { Store } from '../../src/store/store.ts';
import { fillStore, nameOf } from './fill-store.ts';
import { openApi, shareApi } from './open-api.ts';

const COUNT = 60;
const path = '/api/v1/instances';

const fill = (store: Store) => fillStore(store, COUNT);
const shared = shareApi(fill);

/** The shared API or a given one, with a function that requests the list, and with all entries of the list. */
async function open(opened = shared()) {
  const list = async (query = ''): Promise<{ total: number; instances: InstanceEntry[]; next: string | null }> => {
    const answer = await opened.get(`${path}?${query}`);
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.json();
  };
  const { instances: all } = await list('limit=500');
  return { ...opened, list, all };
}

/** Queries and a predicate for the instances that they must return. */
const FILTERS: readonly [query: string, matches: (entry: InstanceEntry) => boolean][] = [
  ['q=INSTANCE%201', ({ name }) => name?.includes('Instance 1') === true],
  ['q=s7.example', ({ domain }) => domain.includes('s7.example')],
  ['status=down', ({ status }) => status === 'down'],
  ['open=true', ({ registration }) => registration.open === true],
  ['open=unknown', ({ registration }) => registration.open === null],
  ['joinable=true', (entry) => entry.joinable],
  ['feature=forYouFeed,gifProvider', ({ features }) => features.forYouFeed === true && features.gifProvider === true],
  ['flag=app-url-mismatch', ({ flags }) => flags.includes('app-url-mismatch')],
  ['withoutFlag=app-url-mismatch', ({ flags }) => !flags.includes('app-url-mismatch')],
  ['maxVideoSizeMB.min=30', ({ limits }) => limits.maxVideoSizeMB !== null && limits.maxVideoSizeMB >= 30],
  ['maxVideoSizeMB.max=0', ({ limits }) => limits.maxVideoSizeMB === 0],
  ['users.min=60&users.max=90', ({ usage }) => usage.users !== null && usage.users >= 60 && usage.users <= 90],
  ['version=%3E%3D1.0.0-beta.14', ({ version }) => isAtLeast(version, '1.0.0-beta.14')],
  ['country=de', ({ hosting }) => hosting.country === 'DE'],
  ['country=unknown', ({ hosting }) => hosting.country === null],
  ['network=64500', ({ hosting }) => hosting.asn === 64_500],
  ['network=AS64501', ({ hosting }) => hosting.network === 'Second & Sons'],
  ['network=cloudflare%2C%20inc.', ({ hosting }) => hosting.behind === 'Cloudflare'],
  ['network=unknown', ({ hosting }) => hosting.asn === null],
  ['version=1.x%20%7C%7C%202.x', ({ version }) => isAtLeast(version, '1.0.0-0')],
];

function isAtLeast(version: string | null, minimum: string): boolean {
  return version !== null && semver.valid(version) !== null && semver.gte(version, minimum);
}

describe('the list of instances', () => {
  test.each(FILTERS)('filtered by %s has exactly the matching instances', async (query, matches) => {
    const { list, all } = await open();
    const expected = all.filter(matches).map(({ domain }) => domain);
    expect(expected.length).toBeGreaterThan(0);
    expect(expected.length).toBeLessThan(COUNT);
    const { total, instances } = await list(`${query}&limit=500`);
    expect(instances.map(({ domain }) => domain)).toEqual(expected);
    expect(total).toBe(expected.length);
  });

  test.each([
    'domain',
    '-domain',
    'version',
    '-version',
    'users',
    '-users',
    '-maxVideoSizeMB',
    'growth',
    'lastSeen',
    '-checkedAt',
  ])('sorted by %s has each instance once across its pages', async (sort) => {
    const { list } = await open();
    const full = (await list(`sort=${sort}&limit=500`)).instances.map(({ domain }) => domain);
    const paged: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await list(`sort=${sort}&limit=7${cursor}`);
      expect(page.total).toBe(COUNT);
      paged.push(...page.instances.map(({ domain }) => domain));
      if (page.next === null) break;
      cursor = `&cursor=${page.next}`;
    }
    expect(paged).toEqual(full);
    expect(new Set(paged).size).toBe(COUNT);
  });

  test('sorts versions by Semantic Versioning, with unknown and invalid ones last in both directions', async () => {
    const { list } = await open();
    for (const [sort, order] of [
      ['version', ['1.0.0-beta.9', '1.0.0-beta.14', '1.0.0', '1.2.0', '2.0.0']],
      ['-version', ['2.0.0', '1.2.0', '1.0.0', '1.0.0-beta.14', '1.0.0-beta.9']],
    ] as const) {
      const { instances } = await list(`sort=${sort}&limit=500`);
      const versions = [...new Set(instances.map(({ version }) => version))];
      expect(versions.slice(0, 5)).toEqual(order);
      expect(versions.slice(5).sort()).toEqual(['nightly', null]);
    }
    const users = (await list('sort=-users&limit=500')).instances.map(({ usage }) => usage.users);
    expect(users.slice(users.indexOf(null)).every((count) => count === null)).toBe(true);
  });

  test('continues on the next page even if an instance was removed', async () => {
    const { list, store, get } = await open(await openApi(fill));
    const first = await list('limit=3&sort=domain');
    store.optOuts.forget([nameOf(2)], 1);
    const next = await get(`${path}?limit=2&cursor=${first.next}`);
    expect(next.json().instances.map(({ domain }: InstanceEntry) => domain)).toEqual([nameOf(3), nameOf(4)]);
  });

  test('has only the requested fields, and the domain', async () => {
    const { list } = await open();
    const { instances } = await list('fields=usage,name&limit=1');
    expect(instances.map(Object.keys)).toEqual([['domain', 'name', 'usage']]);
  });

  test.each([
    ['an unknown parameter', 'limits=1', 'limits'],
    ['a repeated parameter', 'limit=1&limit=2', 'limit'],
    ['an invalid number', 'limit=1e2', 'limit'],
    ['a number out of range', 'limit=501', 'limit'],
    ['an unknown word', 'feature=forYouFeed,x', 'feature'],
    ['an empty list', 'fields=', 'fields'],
    ['a country that is no code', 'country=Germany', 'country'],
    ['an invalid range', 'version=%3E%3E1', 'version'],
    ['a range that is too long', `version=${'1'.repeat(101)}`, 'version'],
    ['an unknown sort order', 'sort=name', 'sort'],
    ['an invalid cursor', 'cursor=AAAA', 'cursor'],
    ['a property name of all objects', '__proto__=1', '__proto__'],
  ])('refuses %s, and names it', async (_what, query, parameter) => {
    const { get } = await open();
    const answer = await get(`${path}?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(answer.json()).toMatchObject({ status: 400, title: 'Bad Request', errors: [{ parameter }] });
  });

  test('names each unknown word of a list once', async () => {
    const { get } = await open();
    const answer = await get(`${path}?feature=forYouFeed,x,y,x,,%20z&flag=q`);
    const { errors } = answer.json() as { errors: { parameter: string; detail: string }[] };
    expect(errors.map(({ parameter, detail }) => [parameter, detail.replace(/^.*; /, '')])).toEqual([
      ['feature', 'x is none of them'],
      ['feature', 'y is none of them'],
      ['feature', '"" is none of them'],
      ['feature', '"␣z" is none of them'],
      ['flag', 'q is none of them'],
    ]);
  });

  test.each([
    ['another order', 'sort=-users&status=up'],
    ['another filter', 'sort=users&status=down'],
    ['one filter fewer', 'sort=users'],
    ['one more filter', 'sort=users&status=up&users.min=0'],
    ['another list of words', 'sort=users&status=up&feature=forYouFeed'],
  ])('refuses a cursor when the query has %s', async (_what, query) => {
    const { list, get } = await open();
    const { next } = await list('limit=1&sort=users&status=up');
    const answer = await get(`${path}?${query}&cursor=${next}`);
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ errors: [{ parameter: 'cursor' }] });
  });

  test('accepts a cursor for an equivalent query with other fields and another page size', async () => {
    const { list } = await open();
    const full = await list('feature=forYouFeed,gifProvider&status=up');
    const { next } = await list('feature=forYouFeed,gifProvider&status=up&limit=1&sort=domain');
    const rest = await list(`status=up&feature=gifProvider,forYouFeed&fields=name&limit=500&cursor=${next}`);
    expect(rest.instances.map(({ domain }) => domain)).toEqual(full.instances.slice(1).map(({ domain }) => domain));
    expect(rest.instances.length).toBeGreaterThan(0);
  });

  test("refuses cursors of other endpoints, and of another domain's history", async () => {
    const { list, get } = await open();
    const { next } = await list('limit=1');
    const history = (number: number) => `${path}/${nameOf(number)}/history?limit=1`;
    const historyCursor = (await get(history(10))).json().next;
    expect(historyCursor).toEqual(expect.any(String));
    expect((await get(`${history(10)}&cursor=${historyCursor}`)).status).toBe(200);
    const changes = (await get('/api/v1/changes?limit=1')).json().next;
    for (const url of [
      `${history(21)}&cursor=${historyCursor}`,
      `${history(10)}&cursor=${next}`,
      `${path}?cursor=${historyCursor}`,
      `${path}?cursor=${changes}`,
      `/api/v1/changes?cursor=${next}`,
      `/api/v1/changes?order=oldest&cursor=${changes}`,
    ]) {
      expect([url, (await get(url)).status]).toEqual([url, 400]);
    }
  });

  test('has the entry that a request for the instance returns, whatever the case of the name', async () => {
    const { get, all } = await open();
    const answer = await get(`${path}/${nameOf(3).toUpperCase()}`);
    expect(answer.json()).toEqual(all[3]);
  });
});
