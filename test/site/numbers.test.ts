import { load } from 'cheerio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { InstanceEntry } from '../../src/directory/schema/instance-entry.ts';
import type { StatsRow } from '../../src/directory/schema/stats-row.ts';
import type { Timeline } from '../../src/directory/schema/timeline.ts';
import { FACT_LEAVES, HOSTING_LEAVES, LIMITS } from '../../src/model/facts/fact-leaves.ts';
import { factText } from '../../src/site/fact-text.ts';
import { english } from '../../src/site/words/english.ts';
import { type OpenedSite, openSite } from './open-site.ts';
import { DOWN_DOMAIN, domainOf, HOSTILE_DOMAIN, HOSTILE_TEXT, SILENT_DOMAIN } from './site-store.ts';

const { format, frame, stats: words, instance } = english;
const DOMAINS = [DOWN_DOMAIN, HOSTILE_DOMAIN, SILENT_DOMAIN, domainOf(4)];

let site: OpenedSite;
beforeAll(async () => {
  site = await openSite({ instances: 30, days: 200, everyDays: 7 });
});
afterAll(() => site[Symbol.asyncDispose]());

const page = async (path: string) => load(await (await fetch(site.url + path)).text());
const json = async <Value>(path: string) => (await (await fetch(`${site.url}/api/v1/${path}`)).json()) as Value;

/** The value at a path such as `instances.users.total`. */
function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], value);
}

test('every number on the page of trends is one of the API', async () => {
  const $ = await page('/stats');
  const stats = await json<object>('stats');
  const software = await json<object>('software');
  const shown = $('[data-stat]').toArray();
  expect(shown.length).toBeGreaterThan(12);
  for (const element of shown) {
    const path = $(element).attr('data-stat') ?? '';
    const value = valueAt(path.startsWith('software.') ? software : stats, path) as number | null;
    expect([path, $(element).text()]).toEqual([path, value === null ? words.unknown : format.number(value)]);
  }
});

test('the limits on the page of trends are those of the API', async () => {
  const $ = await page('/stats');
  const { limits } = await json<{ limits: Record<string, Record<string, number | null>> }>('stats');
  const shown = $('[data-limit]').toArray();
  expect(shown).toHaveLength(3 * LIMITS.length);
  for (const element of shown) {
    const [key = '', name = ''] = ($(element).attr('data-limit') ?? '').split('.');
    const leaf = FACT_LEAVES.find((one) => one.parent === 'limits' && one.key === key);
    const value = limits[key]?.[name] ?? null;
    expect($(element).text()).toBe((leaf === undefined ? null : factText(leaf, value, english)) ?? words.unknown);
  }
});

test('the legends and tables of trends show values of the API', async () => {
  const $ = await page('/stats');
  const { points } = await json<{ points: StatsRow[] }>(
    'stats/history?measure=version,status,registration.open&limit=5000',
  );
  const valueOn = (date: string, measure: string, key: string) =>
    points.find((row) => format.date(row.date) === date && row.measure === measure && row.key === key)?.value ?? 0;
  const rows = $('section[aria-labelledby="versions"] details tbody tr').toArray();
  const heads = $('section[aria-labelledby="versions"] details thead th')
    .toArray()
    .map((head) => $(head).text());
  expect(rows.length).toBeGreaterThan(5);
  for (const row of rows) {
    const date = $(row).find('th').text();
    for (const [index, cell] of $(row).find('td').toArray().entries()) {
      const version = heads[index + 1] ?? '';
      if (version === words.unknown || version === words.versions.other) continue;
      expect([date, version, $(cell).text()]).toEqual([
        date,
        version,
        format.number(valueOn(date, 'version', version)),
      ]);
    }
  }
  const today = format.date(points.at(-1)?.date ?? 0);
  const legend = $('section[aria-labelledby="growth"] .legend b')
    .toArray()
    .map((value) => $(value).text());
  expect(legend).toEqual([valueOn(today, 'status', 'down'), valueOn(today, 'status', 'up')].map(format.number));
});

test('the charts of countries and networks, and the share of the largest network, show values of the API', async () => {
  const $ = await page('/hosting');
  const { points } = await json<{ points: StatsRow[] }>(
    'stats/history?measure=hosting.country,hosting.network&limit=5000',
  );
  const today = points.filter(({ date }) => date === points.at(-1)?.date);
  const section = 'section[aria-labelledby="hosting"]';
  const legend = $(`${section} .legend li`)
    .toArray()
    .map((item) => $(item).text());
  const named = today.filter(({ key }) => key !== null);
  expect(named.length).toBeGreaterThan(4);
  for (const { measure, key, value } of named) {
    const name = measure === 'hosting.country' ? format.country(key ?? '') : key;
    expect(legend).toContain(`${name} ${format.number(value ?? 0)}`);
  }
  const networks = named.filter(({ measure }) => measure === 'hosting.network');
  const [{ reporting = 0, total = 0 } = {}] = networks;
  expect(reporting).toBeLessThan(total);
  const largest = Math.max(...networks.map(({ value }) => value ?? 0)) / reporting;
  const shown = $(`${section} figure`).last();
  expect(shown.find('output').text()).toBe(`${format.number(Math.round(largest * 1_000) / 10)}%`);
  expect(shown.text()).toContain(words.hosting.coverage(format.number(reporting), format.number(total)));
});

test.each(DOMAINS)('every fact on the page of an instance is that of the API: %s', async (domain) => {
  const $ = await page(`/instances/${domain}`);
  const entry = await json<InstanceEntry>(`instances/${domain}`);
  const facts = $('[data-fact]').toArray();
  expect(facts.length).toBeGreaterThan(15);
  for (const element of facts) {
    const path = $(element).attr('data-fact') ?? '';
    const leaf = [...FACT_LEAVES, ...HOSTING_LEAVES].find((one) => one.path === path);
    const unknown = path.startsWith('hosting.') ? instance.facts.unknownByAddress : instance.facts.unknown;
    const share = valueAt(entry, path) as number | null;
    const text =
      leaf === undefined
        ? share === null
          ? frame.unknown
          : format.percent(share)
        : (factText(leaf, leaf.get(entry), english) ?? unknown);
    expect([path, $(element).text()]).toEqual([path, text]);
  }
  expect($('h1').text()).toBe(entry.name ?? domain);
  const users = $('[data-figure="usage.users"]').text();
  expect(users).toBe(entry.usage.users === null ? frame.unknown : format.number(entry.usage.users));
});

test.each(DOMAINS)('the charts of an instance show the timeline of the API: %s', async (domain) => {
  const $ = await page(`/instances/${domain}`);
  const { days, counts } = await json<Timeline>(`instances/${domain}/timeline`);
  const bars = $('.day-bars > g').toArray();
  expect(bars).toHaveLength(days.length);
  for (const [index, bar] of bars.entries()) {
    const { day, share } = days[index] ?? { day: '', share: null };
    expect($(bar).find('title').text()).toContain(format.date(day));
    expect($(bar).find('title').text()).toContain(share === null ? 'not observed' : format.percent(share));
  }
  for (const row of $('section[aria-labelledby="history"] tbody tr').toArray()) {
    const count = counts.find(({ from }) => format.date(from) === $(row).find('th').text());
    const cells = $(row)
      .find('td')
      .toArray()
      .map((cell) => $(cell).text());
    const values = [count?.users, count?.activeMonth, count?.posts];
    expect(cells).toEqual(
      values.map((value) => (typeof value === 'number' ? format.number(value) : instance.facts.unknown)),
    );
  }
});

test.each(DOMAINS)('the last visits of an instance are those of the API: %s', async (domain) => {
  const $ = await page(`/instances/${domain}`);
  const { visits } = await json<{ visits: { visitedAt: string; durationMs: number }[] }>(`domains/${domain}?visits=12`);
  const rows = $('section[aria-labelledby="visits"] tbody tr').toArray();
  const shown = rows.map((row) => [$(row).find('time').text(), $(row).find('td').last().text()]);
  expect(shown.length).toBeGreaterThan(5);
  expect(shown).toEqual(
    visits.map(({ visitedAt, durationMs }) => [
      format.dateTime(visitedAt),
      instance.history.ms(format.number(durationMs)),
    ]),
  );
});

test.each(DOMAINS)('each fact of an instance has the day on which the API says it was read: %s', async (domain) => {
  const $ = await page(`/instances/${domain}`);
  const { facts } = await json<{ facts: { path: string; value: unknown; readAt: string | null }[] }>(
    `domains/${domain}`,
  );
  for (const { path, value, readAt } of facts) {
    const shown = $(`[data-fact="${path}"]`);
    if (shown.length === 0 || value === null || readAt === null) continue;
    expect([path, shown.next('small').text()]).toEqual([path, expect.stringContaining(format.date(readAt))]);
  }
});

test('the servers that grew most are on the second page, with the counts of the API', async () => {
  const $ = await page((await page('/'))('a[href="/movers"]').attr('href') ?? '');
  const rows = $('[data-growth]').toArray();
  expect(rows.length).toBeGreaterThan(5);
  for (const row of rows.slice(0, 5)) {
    const domain = $(row).attr('data-growth') ?? '';
    const { counts } = await json<Timeline>(`instances/${domain}/timeline`);
    const [before, now] = [$(row).nextAll().eq(1).text(), $(row).nextAll().eq(2).text()];
    const known = counts.flatMap(({ users }) => (users === null ? [] : [format.number(users)]));
    expect(known.at(-1)).toBe(now);
    expect(known.slice(-40)).toContain(before);
    const change = Number(now.replaceAll(',', '')) - Number(before.replaceAll(',', ''));
    expect($(row).text()).toBe(format.signed(change));
  }
  const changes = $('section[aria-labelledby=grown] [data-growth]')
    .toArray()
    .map((row) => Number($(row).text().replaceAll(',', '')));
  expect(changes).toEqual(changes.toSorted((one, other) => other - one));
});

test('the page of a down instance says since when it is down, and why', async () => {
  const $ = await page(`/instances/${DOWN_DOMAIN}`);
  const { reason } = (await json<{ visits: { reason: string }[] }>(`domains/${DOWN_DOMAIN}`)).visits[0] ?? {};
  expect(reason).toBe('connect-refused');
  expect($('.alarm').text()).toContain('Down since 16 Jun 2026, 12:00\u00a0UTC, for 14 days.');
  expect($('.alarm').text()).toContain('nothing listens at the address');
});

test('a redirect has no entity tag, and is never answered with 304', async () => {
  const paths = ['/join', '/instances/unknown.example.org'];
  for (const path of paths) {
    const headers = { 'if-none-match': '*' };
    const response = await fetch(site.url + path, { redirect: 'manual', headers });
    expect([response.status, response.headers.get('etag')], path).toEqual([303, null]);
  }
});

test('pages answer other methods than GET and HEAD with 405, and unknown paths with 404', async () => {
  for (const path of ['/', '/stats', '/stats/', '/instances/a.example.org?x=1', '/robots.txt', '/sitemap.xml'])
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'PROPFIND']) {
      const { status, headers } = await fetch(site.url + path, { method });
      expect([status, headers.get('allow')], `${method} ${path}`).toEqual([405, 'GET, HEAD']);
    }
  for (const path of ['/nothing', '/about/more', '/instances.json'])
    expect((await fetch(site.url + path, { method: 'POST' })).status, path).toBe(404);
  expect(await (await fetch(`${site.url}/stats/versions.csv`)).text()).toContain('stats.csv has no such measure.');
});

test('the page of an instance that is not listed redirects to its explanation', async () => {
  const response = await fetch(`${site.url}/instances/unknown.example.org`, { redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([303, '/domains/unknown.example.org']);
});

test('the CSV of an instance has on each day the counts that were last read up to its end, and the chart says the same', async () => {
  const domain = domainOf(4);
  const csv = await (await fetch(`${site.url}/instances/${domain}/timeline.csv`)).text();
  using reader = site.store.reader();
  const samples = [...reader.usage.of(domain)];
  const rows = csv
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((row) => row.split(','));
  const counted = rows.filter(([, users]) => users !== '');
  expect(counted.length).toBeGreaterThan(20);
  expect(counted.map(([, users]) => Number(users))).toEqual(
    counted.map(([day = '']) => samples.find(({ at }) => new Date(at).toISOString().slice(0, 10) <= day)?.users),
  );
  const [lastDay = ''] = counted.at(-1) ?? [];
  const described = (await page(`/instances/${domain}`))('#chart-users-text').text();
  expect(described).toContain(` on ${format.date(Date.parse(lastDay))}, at most`);
});

test('the feed of an instance has its events, newest first', async () => {
  const response = await fetch(`${site.url}/instances/${DOWN_DOMAIN}/feed.atom`);
  expect(response.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
  const $ = load(await response.text(), { xml: true });
  const categories = $('entry > category')
    .toArray()
    .map((category) => $(category).attr('term'));
  expect(categories[0]).toBe('down');
  expect(categories).toContain('upgraded');
  expect(categories.at(-1)).toBe('listed');
  const times = $('entry > updated')
    .toArray()
    .map((time) => $(time).text());
  expect(times).toEqual(times.toSorted().reverse());
  expect(
    new Set(
      $('entry > id')
        .toArray()
        .map((id) => $(id).text()),
    ).size,
  ).toBe(categories.length);
  expect((await fetch(`${site.url}/instances/unknown.example.org/feed.atom`)).status).toBe(404);
});

test('the feed of a hostile instance is well-formed and has its name as text', async () => {
  const text = await (await fetch(`${site.url}/instances/${HOSTILE_DOMAIN}/feed.atom`)).text();
  const $ = load(text, { xml: true });
  expect($('feed > title').text()).toBe(instance.feed.title(HOSTILE_TEXT));
  expect(text).not.toContain('<script');
});

test('the badge shows status and uptime, and no text of the instance', async () => {
  const badge = async (domain: string) => (await fetch(`${site.url}/instances/${domain}/badge.svg`)).text();
  const { uptime } = await json<InstanceEntry>(`instances/${domainOf(4)}`);
  expect(await badge(domainOf(4))).toContain(`up, ${format.percent(uptime.month ?? 0)}`);
  expect(await badge(DOWN_DOMAIN)).toContain('>down<');
  expect(await badge(HOSTILE_DOMAIN)).not.toContain('script');
  expect((await fetch(`${site.url}/instances/unknown.example.org/badge.svg`)).status).toBe(404);
});

test('a badge has three styles, and the page has the HTML of each', async () => {
  const $ = await page(`/instances/${domainOf(4)}`);
  const heights = await Promise.all(
    $('.badges input')
      .get()
      .map(async (field) => {
        const image = load($(field).attr('value') ?? '')('a img');
        const svg = await (await fetch(image.attr('src') ?? '')).text();
        expect(svg).toContain(`height="${image.attr('height')}" viewBox`);
        return [image.attr('height'), svg.includes('rx="0"')];
      }),
  );
  expect(heights).toEqual([
    ['20', false],
    ['20', true],
    ['32', false],
  ]);
  expect((await fetch(`${site.url}/instances/${domainOf(4)}/badge.svg?style=round`)).status).toBe(400);
});

test('the description of a server is its own text and its facts; markup in it stays text', async () => {
  const description = async (domain: string) =>
    (await page(`/instances/${domain}`))('meta[property="og:description"]').attr('content');
  expect(await description(DOWN_DOMAIN)).toMatch(
    /^Kurze Videos aus Berlin und Brandenburg\. loops1\.site1-example\.org, a server of Loops: down, registration closed, version \S+, \d+ users, up [\d.]+% of the last 30 days\.$/,
  );
  expect(await description(HOSTILE_DOMAIN)).toContain(HOSTILE_TEXT.slice(0, 100));
});

test('a change has the same words on the pages of the server and of the domain', async () => {
  const texts = async (path: string) =>
    (await page(path))('.change-list > li')
      .get()
      .map((item) => load(item).text());
  const onInstance = await texts(`/instances/${DOWN_DOMAIN}`);
  expect(onInstance.length).toBeGreaterThan(2);
  expect((await texts(`/domains/${DOWN_DOMAIN}`)).slice(0, onInstance.length)).toEqual(onInstance);
});
