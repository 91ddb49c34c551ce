import { load } from 'cheerio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isJoinable } from '../../src/directory/joinability.ts';
import { MINIMUMS, STEPS } from '../../src/directory/measures.ts';
import type { InstanceEntry } from '../../src/directory/schema/instance-entry.ts';
import type { StatsPoint } from '../../src/directory/schema/stats-file.ts';
import { coverageText } from '../../src/site/fact-text.ts';
import { english } from '../../src/site/words/english.ts';
import { type OpenedSite, openSite } from './open-site.ts';

const { format, directory } = english;

let site: OpenedSite;
beforeAll(async () => {
  site = await openSite({ instances: 60, days: 60, everyDays: 20 });
});
afterAll(() => site[Symbol.asyncDispose]());

const page = async (path: string) => load(await (await fetch(site.url + path)).text());
const json = async <Value>(path: string) => (await (await fetch(`${site.url}/api/v1/${path}`)).json()) as Value;

interface Answers {
  yes: number;
  no: number;
  unknown: number;
}
interface Stats {
  instances: Record<'instances' | 'up' | 'down', number> &
    Record<'users' | 'posts', { total: number; reporting: number; implausible: number }>;
  registrationOpen: Answers;
  features: Record<string, Answers>;
}

/** The count beside a filter. */
const countOf = ($: ReturnType<typeof load>, key: string, value: string) =>
  Number($(`.option[data-filter="${key}"][data-value="${value}"] .count`).text().replaceAll(',', ''));

test('the totals of the directory and their coverage are those of the API, and say how many implausible counts they leave out', async () => {
  const $ = await page('/');
  const { instances, registrationOpen } = await json<Stats>('stats');
  // Each total is a number and a text about its coverage.
  const [all, open, users, posts] = $('.totals > div')
    .toArray()
    .map((element) =>
      $(element)
        .find('dd')
        .toArray()
        .map((dd) => $(dd).text()),
    );
  const number = format.number;
  expect(all).toEqual([number(instances.instances), `${instances.up} up, ${instances.down} down`]);
  for (const [shown, key] of [
    [users, 'users'],
    [posts, 'posts'],
  ] as const) {
    expect(shown).toEqual([number(instances[key].total), coverageText(instances[key], instances.instances, english)]);
  }
  expect(coverageText({ reporting: 2, implausible: 1 }, 4, english)).toBe(
    'reported by 2 of 4, 1 left out as implausible',
  );
  const known = registrationOpen.yes + registrationOpen.no;
  expect(open?.[1]).toBe(`${known} of ${instances.instances} say who can join`);
});

test('the pages of filters belong to the directory in the main navigation', async () => {
  for (const path of ['/', '/open/', '/down/', '/table/', '/version/1.2.0/', '/?q=loops'])
    expect((await page(path))('.menu a[aria-current]').text(), path).toBe('Directory');
});

test('the number of instances that are up has a link that hides the others, until a status is chosen', async () => {
  const $ = await page('/');
  const { instances } = await json<Stats>('stats');
  expect(instances.down).toBeGreaterThan(0);
  expect($('.up-count').text()).toBe(`${instances.up} up, hide ${instances.down} down`);
  const chosen = await page($('.up-count a').attr('href') ?? '');
  expect(chosen('#results').text()).toContain(`${instances.up} servers`);
  expect(chosen('.up-count').attr('hidden')).toBeDefined();
});

test('the counts beside filters are those of the API', async () => {
  const $ = await page('/');
  const { registrationOpen, features, instances } = await json<Stats>('stats');
  const registration = (value: string) => countOf($, 'registration', value);
  expect(registration('open') + registration('approval')).toBe(registrationOpen.yes);
  expect(registration('closed')).toBe(registrationOpen.no);
  expect(registration('unknown')).toBe(registrationOpen.unknown);
  for (const [key, { yes }] of Object.entries(features)) expect(countOf($, 'feature', key)).toBe(yes);
  expect([countOf($, 'status', 'up'), countOf($, 'status', 'down')]).toEqual([instances.up, instances.down]);
  const { versions, unknown } = await json<{ versions: { version: string; instances: number }[]; unknown: number }>(
    'versions',
  );
  for (const { version, instances: count } of versions) expect(countOf($, 'version', version)).toBe(count);
  for (const key of MINIMUMS) {
    const found = async (value: number) => (await json<{ total: number }>(`instances?${key}=${value}`)).total;
    for (const value of STEPS[key]) expect([key, countOf($, key, String(value))]).toEqual([key, await found(value)]);
  }
  expect($('[data-rest=version]').text()).toBe(directory.filters.unknown(String(unknown)));
  const { hosting } = await json<{ hosting: StatsPoint['hosting'] }>('stats');
  for (const key of ['country', 'network'] as const) {
    const { commonest, reporting } = hosting[key];
    expect(commonest.length).toBeGreaterThan(2);
    for (const { name, instances: count } of commonest) expect([name, countOf($, key, name)]).toEqual([name, count]);
    const rest = directory.filters.unknown(String(instances.instances - reporting));
    expect($(`[data-rest=${key}]`).text()).toBe(rest);
  }
});

test('a search and filters find as many instances as the same request to the API', async () => {
  for (const [path, query] of [
    ['/?q=loops', 'q=loops'],
    ['/?q=cat&status=up&feature=forYouFeed', 'q=cat&status=up&feature=forYouFeed'],
    ['/closed/', 'open=false'],
    ['/registration-unknown/', 'open=unknown'],
    ['/version/1.2.0/', 'version=1.2.0'],
    ['/country/de/', 'country=DE'],
    ['/?network=First+Host+GmbH&country=FI', 'network=64500&country=fi'],
    ['/?maxVideoSizeMB.min=100', 'maxVideoSizeMB.min=100'],
    ['/video-seconds/180/', 'maxVideoDurationSeconds.min=180'],
    ['/?ageDays.min=30&growth.min=1', 'ageDays.min=30&growth.min=1'],
  ]) {
    const $ = await page(path ?? '');
    const { total } = await json<{ total: number }>(`instances?${query}`);
    expect($('#results').text(), path).toMatch(new RegExp(`^${total} servers?\\b`));
    expect(total).toBeGreaterThan(0);
  }
});

test('every row of the table has the values of the API', async () => {
  const $ = await page('/?view=table&order=name');
  const { instances } = await json<{ instances: InstanceEntry[] }>('instances?limit=500');
  const rows = $('tbody tr')
    .toArray()
    .map((row) =>
      $(row)
        .find('th a, .domain, td')
        .toArray()
        .map((cell) => $(cell).text()),
    );
  const text = (value: number | null, as: (value: number) => string) =>
    value === null ? directory.card.unknown : as(value);
  expect(rows.length).toBe(instances.length);
  expect(instances.some(({ growth }) => growth !== null)).toBe(true);
  for (const [index, entry] of instances.entries()) {
    const { domain, name, usage, growth, limits, uptime, firstSeen, lastSeen, status } = entry;
    const [shownName, shownDomain, _registration, _mode, _version, _standing, ...numbers] = rows[index] ?? [];
    const down = status === 'up' ? '' : directory.downTag(format.date(lastSeen ?? ''));
    expect([shownName, shownDomain]).toEqual([
      name ?? domain,
      (name === null ? directory.card.nameless : domain) + down,
    ]);
    expect(numbers).toEqual([
      ...[text(usage.users, format.number), text(growth, format.signed), text(usage.posts, format.number)],
      ...[text(uptime.month, format.percent), text(limits.maxVideoSizeMB, format.megabytes)],
      ...[text(limits.maxVideoDurationSeconds, format.duration), format.date(firstSeen)],
    ]);
  }
});

test('the button to join counts the joinable instances, and leads to each of them and to no other', async () => {
  const { instances } = await json<{ instances: InstanceEntry[] }>('instances?limit=500');
  const joinable = instances.filter(isJoinable).map(({ url }) => url);
  const $ = await page('/');
  expect($('.join a').text()).toBe(directory.join.live(joinable.length, format.number(joinable.length)));
  const targets = new Set<string>();
  for (let request = 0; request < 60; request++) {
    const { status, headers } = await fetch(`${site.url}/join`, { redirect: 'manual' });
    expect([status, headers.get('cache-control')]).toEqual([303, 'no-store']);
    targets.add(headers.get('location') ?? '');
  }
  expect(targets.size).toBeGreaterThan(2);
  expect([...targets].filter((url) => !joinable.includes(url))).toEqual([]);
});

test('the sitemap names the page of every instance, and robots.txt names the sitemap', async () => {
  expect(await (await fetch(`${site.url}/robots.txt`)).text()).toContain(`Sitemap: ${site.url}/sitemap.xml`);
  const sitemap = await (await fetch(`${site.url}/sitemap.xml`)).text();
  const { instances } = await json<{ instances: InstanceEntry[] }>('instances?limit=500');
  for (const { domain } of instances) expect(sitemap).toContain(`<loc>${site.url}/instances/${domain}</loc>`);
  for (const [, url = ''] of sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)) {
    if (url.includes('/instances/')) continue;
    expect((await fetch(url)).status, url).toBe(200);
  }
});

test('a request for an unchanged page gets a 304, and assets are immutable', async () => {
  const first = await fetch(`${site.url}/`);
  const etag = first.headers.get('etag') ?? '';
  expect((await fetch(`${site.url}/`, { headers: { 'if-none-match': etag } })).status).toBe(304);
  expect(first.headers.get('cache-control')).toBe('public, max-age=60');
  const $ = load(await first.text());
  const style = await fetch(new URL($('link[rel=stylesheet]').attr('href') ?? '', site.url));
  expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
  expect(style.headers.get('cache-control')).toContain('immutable');
});
