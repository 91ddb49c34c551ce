import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reportView } from '../../src/check/report-view.ts';
import type { SubmissionResult } from '../../src/directory/submit.ts';
import { UNNAMED } from '../../src/export/publication.ts';
import { createAbout } from '../../src/service/about.ts';
import { writeDatasets } from '../../src/service/tasks/write-datasets.ts';
import { loadSettings } from '../../src/settings/settings.ts';
import type { CheckForUser } from '../../src/site/check/check-answer.ts';
import { english } from '../../src/site/words/english.ts';
import { launchBrowser } from '../browser/launch-browser.ts';
import { hostileReport } from '../check/sample-reports.ts';
import { type OpenedSite, openSite, TWO_YEARS } from './open-site.ts';
import { faultsOf, watch } from './page-faults.ts';
import { PAGES } from './pages-under-test.ts';
import { serveFolder } from './serve-folder.ts';
import { DOWN_DOMAIN, HOSTILE_TEXT, NOW } from './site-store.ts';

let browser: Browser;
let live: OpenedSite;
let folder: string;
let files: Awaited<ReturnType<typeof serveFolder>>;
let context: BrowserContext;
let page: Page;
let events: Awaited<ReturnType<typeof watch>>;
/** Where axe runs. */
let audited: Page;
let auditEvents: typeof events;

const PREFIX = '/some/folder';
const LIVE_PAGES = PAGES.filter(({ isOnlyStatic }) => !isOnlyStatic);
const STATIC_PAGES = PAGES.filter(({ isStatic }) => isStatic);

const check: CheckForUser = async () => ({
  ...{ kind: 'done', againAt: NOW + 600_000 },
  report: reportView(hostileReport()),
});
const submit = async (): Promise<SubmissionResult> => ({ kind: 'visited' });
const seenWorker = {
  version: '0.2.0',
  visits: 123_456,
  errors: 7,
  lastSeen: new Date(NOW).toISOString(),
};
const health = () => ({
  ...{ status: 'ok' as const, problems: [] },
  workers: ['east', `frankfurt-${'2'.repeat(60)}.workers.example.net`].map((name) => ({ ...seenWorker, name })),
});
const about = createAbout(() => loadSettings({ file: null, env: {} }))();

beforeAll(async () => {
  [browser, live] = await Promise.all([
    launchBrowser(),
    openSite({ ...TWO_YEARS, everyDays: 28, dailyDays: 4 }, { check, health, submit }),
  ]);
  folder = join(dirname(live.path), 'public');
  await writeDatasets(
    {
      ...{ database: live.path, dir: join(dirname(live.path), 'data/export'), at: NOW, about },
      ...{
        publication: { ...UNNAMED, licence: 'CC0-1.0', doi: '10.5281/zenodo.1234567' },
        flags: { crowdedFrom: 50, staleDays: 30 },
        visitsDays: 400,
        months: 'only-missing',
        maxDropPercent: 15,
        force: false,
        mustPurge: false,
      },
      site: {
        ...{ dir: folder, base: `https://site.example${PREFIX}`, about },
        pages: loadSettings({ file: null, env: {} }).site,
      },
    },
    new AbortController().signal,
  );
  files = await serveFolder(folder, PREFIX);
  context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  page = await context.newPage();
  events = await watch(page);
  audited = await context.newPage();
  auditEvents = await watch(audited, { axe: true });
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await files?.[Symbol.asyncDispose]();
  await live?.[Symbol.asyncDispose]();
});

describe('every page of the live site', () => {
  test.each(LIVE_PAGES)('$path is small, accessible and without faults', async (target) => {
    const faults: string[] = [];
    for (const [width, colorScheme, rules] of [
      [360, 'dark', 'visual'],
      [1280, 'light', 'all'],
    ] as const) {
      await audited.setViewportSize({ width, height: 900 });
      await audited.emulateMedia({ colorScheme });
      faults.push(
        ...(await faultsOf(audited, live.url + target.path, { status: target.status, events: auditEvents, rules })),
      );
    }
    expect(faults).toEqual([]);
    if (target.showsHostile) expect(await audited.locator('main').innerText()).toContain(HOSTILE_TEXT.slice(0, 60));
  });

  test('has a policy that allows only files of this server, and nothing inline', async () => {
    for (const { path } of PAGES) {
      const { headers } = await fetch(live.url + path, { headers: { accept: 'text/html' } });
      expect(headers.get('content-security-policy'), path).toBe(
        "default-src 'self';object-src 'none';base-uri 'none';form-action 'self';frame-ancestors 'none'",
      );
      expect(headers.get('content-type'), path).toBe('text/html; charset=utf-8');
    }
  });
});

describe('every page of the static site', () => {
  test.each(STATIC_PAGES)('$path is small and without faults', async (target) => {
    await audited.setViewportSize({ width: 768, height: 900 });
    // The markup is that of the live page, where there is one.
    const rules = target.isOnlyStatic ? 'visual' : 'none';
    expect(await faultsOf(audited, files.url + target.path, { events: auditEvents, rules })).toEqual([]);
    const policy = await audited.getAttribute('meta[http-equiv=content-security-policy]', 'content');
    expect(policy).toBe("default-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'");
  });

  test('has no link to a missing file of the site', () => {
    const missing: string[] = [];
    for (const name of readdirSync(folder, { recursive: true }) as string[]) {
      if (!name.endsWith('.html') || name === '404.html') continue;
      const base = `https://site.example${PREFIX}/${name.replace(/index\.html$/, '')}`;
      for (const [, link = ''] of readFileSync(join(folder, name), 'utf8').matchAll(/(?:href|src|action)="([^"]*)"/g)) {
        const { origin, pathname } = new URL(
          link.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(code)),
          base,
        );
        if (origin !== 'https://site.example' || pathname.startsWith('#')) continue;
        const path = join(folder, decodeURIComponent(pathname.slice(PREFIX.length)));
        const status = statSync(path, { throwIfNoEntry: false });
        const file = status?.isDirectory() ? statSync(join(path, 'index.html'), { throwIfNoEntry: false }) : status;
        if (file === undefined) missing.push(`${name}: ${link}`);
      }
    }
    expect(missing.slice(0, 10)).toEqual([]);
  });

  test('has a sitemap of existing pages, and a page for URLs that do not exist', () => {
    const sitemap = readFileSync(join(folder, 'sitemap.xml'), 'utf8');
    const pages = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => decodeURI(url));
    expect(pages).toContain(`https://site.example${PREFIX}/open/`);
    for (const url of pages) {
      const path = url.replace(`https://site.example${PREFIX}/`, '');
      expect(statSync(join(folder, path, 'index.html'), { throwIfNoEntry: false }), url).toBeDefined();
    }
    expect(readFileSync(join(folder, '404.html'), 'utf8')).toContain(
      `href="https://site.example${PREFIX}/assets/site.css`,
    );
  });
});

const shown = (target: Page) => target.evaluate('inspection.shown()');

describe('the script of the static site', () => {
  test.each([
    'registration=open',
    'registration=open&feature=atomFeeds&feature=forYouFeed&order=users&page=2',
    'q=cat&standing=behind&order=uptime',
    'version=1.2.0&order=newest&view=table',
    'country=DE&network=First+Host+GmbH&order=users',
    'network=Second+%26+Sons&status=up&view=table',
    'q=hostile',
    'q=no-such-name&registration=closed&status=up',
    'order=version&page=3',
    'order=name&view=table',
    'order=size',
    'order=length&view=table&page=1.5',
    'order=oldest&status=down',
    'maxVideoSizeMB.min=100&status=up',
    'ageDays.min=365&growth.min=10&order=growth&view=table',
    'registration=open&maxVideoDurationSeconds.min=600&order=growth&page=2',
    'features=x&feature=teleport&growth.min=7&order=best&q=cat',
  ])('shows for ?%s what the live site shows', async (query) => {
    await page.goto(`${live.url}/?${query}`);
    const expected = await shown(page);
    await page.goto(`${files.url}/?${query}`);
    await expect.poll(() => shown(page)).toEqual(expected);
    expect(events.take()).toEqual([]);
  });

  test('filters at once, keeps the choice in the URL, and goes back', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`${files.url}/`);
    await page.click('a.option[data-value=open]');
    await page.waitForURL('**/folder/?registration=open');
    await page.click('a.option[data-value=behind]');
    await page.waitForURL('**/folder/?registration=open&standing=behind');
    const count = await page.locator('#results').innerText();
    await page.fill('#q', 'cat');
    await page.waitForURL('**&q=cat');
    await expect.poll(() => page.locator('#results').innerText()).not.toBe(count);
    await page.goBack();
    await expect.poll(() => page.locator('.chip').count()).toBe(2);
    await page.reload();
    await expect.poll(() => page.locator('.chip').count()).toBe(2);
    expect(await page.locator('.chip').first().innerText()).toContain('open to all');
  });
});

describe('the script of the live site', () => {
  /** Marks the page, to tell later whether it was loaded again. */
  const mark = () => page.evaluate('globalThis.isSamePage = true');
  const isSame = () => page.evaluate('globalThis.isSamePage === true');

  test('applies text, order, filters and sorting at once, shows what a loaded page shows, and goes back', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(live.url);
    await mark();
    await page.fill('#q', 'mastodon');
    await page.waitForURL('**/?q=mastodon');
    expect(await page.locator('.others tbody tr').count()).toBe(14);
    await page.fill('#q', 'cat');
    await page.waitForURL('**/?q=cat');
    expect(await page.evaluate('document.activeElement.id')).toBe('q');
    await page.selectOption('#order', 'growth');
    await page.waitForURL('**/?q=cat&order=growth');
    await page.click('.option[data-filter="ageDays.min"][data-value="180"]');
    await page.waitForURL('**ageDays.min=180**');
    expect(await page.evaluate('document.activeElement.dataset.value')).toBe('180');
    await page.click('.switch a[data-view=table]');
    await page.waitForURL('**view=table**');
    await page.click('thead a:has-text("Users")');
    await page.waitForURL('**order=users**');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Users');
    const patched = await shown(page);
    expect(await isSame()).toBe(true);
    await page.reload();
    expect(await shown(page)).toEqual(patched);
    await mark();
    await page.goBack();
    await page.goBack();
    await expect.poll(() => page.locator('.card').count()).toBeGreaterThan(3);
    expect(await page.inputValue('#order')).toBe('growth');
    expect(events.take()).toEqual([]);
  });

  test('keeps the panel of a phone open while filters are chosen', async () => {
    await page.setViewportSize({ width: 360, height: 780 });
    await page.goto(live.url);
    await page.click('.filters summary');
    const all = await page.locator('.show').innerText();
    await page.click('.option[data-value=open]');
    await page.click('.option[data-filter="growth.min"][data-value="1"]');
    await page.waitForURL('**growth.min=1**');
    const found = await page.locator('.show').innerText();
    expect(found).not.toBe(all);
    expect(await page.locator('.show a').isVisible()).toBe(true);
    await page.click('.show a');
    expect(`Show ${(await page.locator('#results').innerText()).replace(/ of .*/, '')}`).toBe(found);
  });

  test('loads the page when the answer fails', async () => {
    await page.goto(live.url);
    await mark();
    await page.route('**/open/', (route) => (route.request().isNavigationRequest() ? route.continue() : route.abort()));
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.click('.option[data-value=open]');
    await page.waitForURL('**/open/');
    await expect.poll(isSame).toBe(false);
    await page.unroute('**/open/');
    events.take();
  });
});

describe('without JavaScript', () => {
  test('every flow of the directory works on the live site', async () => {
    await using plain = await browser.newContext({ javaScriptEnabled: false });
    const reader = await plain.newPage();
    await reader.goto(live.url);
    await reader.click('.option:has-text("Open")');
    expect(new URL(reader.url()).pathname).toBe('/open/');
    await reader.click('.option:has-text("Newest version")');
    await reader.fill('#q', 'loops');
    await reader.selectOption('#order', 'users');
    await reader.click('.choose button');
    const query = new URL(reader.url()).searchParams;
    query.sort();
    expect(String(query)).toBe('order=users&q=loops&registration=open&standing=current');
    expect(await reader.locator('.card').count()).toBeGreaterThan(3);
    expect(await reader.locator('.chip').allInnerTexts()).toHaveLength(4);
    await reader.click('.switch a:has-text("Table")');
    expect(await reader.locator('tbody tr').count()).toBeGreaterThan(3);
    await reader.click('.chip:has-text("Clear all filters")');
    await reader.click('.pages a[rel=next]');
    expect(new URL(reader.url()).pathname).toBe('/page/2/');
    await reader.goto(`${live.url}/table/`);
    await reader.click('thead a:has-text("Gained")');
    expect(await reader.locator('th[aria-sort=descending]').innerText()).toContain('Gained');
    await reader.goto(`${live.url}/about`);
    await reader.fill('#q', 'mastodon3');
    await reader.press('#q', 'Enter');
    await reader.click('.others a:has-text("mastodon3.example.com")');
    expect(new URL(reader.url()).pathname).toBe('/domains/mastodon3.example.com');
  });

  test('on a phone the filters stand in a panel, whose button leads to the results', async () => {
    await using plain = await browser.newContext({
      ...{ javaScriptEnabled: false, viewport: { width: 360, height: 780 } },
    });
    const reader = await plain.newPage();
    await reader.goto(live.url);
    expect(await reader.locator('.option').first().isVisible()).toBe(false);
    await reader.click('.filters summary');
    await reader.click('.option[data-filter="maxVideoSizeMB.min"][data-value="100"]');
    expect(new URL(reader.url()).pathname).toBe('/upload-mb/100/');
    const [count] = (await reader.locator('#results').innerText()).split(' ');
    await reader.click('.filters summary');
    expect(await reader.locator('.show').innerText()).toBe(`Show ${count} servers`);
    await reader.click('.show a');
    await expect.poll(async () => (await reader.locator('#results').boundingBox())?.y).toBeLessThan(100);
  });

  test('a server is found, checked and added, and its badge is copied, on the live site', async () => {
    await using plain = await browser.newContext({ javaScriptEnabled: false });
    const reader = await plain.newPage();
    await reader.goto(`${live.url}/movers`);
    await reader.click('table.movers >> nth=0 >> tbody a >> nth=0');
    const badge = reader.locator('.badges input').first();
    await badge.focus();
    await reader.keyboard.press('Control+A');
    expect(await reader.evaluate('getSelection().toString()')).toMatch(/^<a href="http.*badge\.svg" alt=".*<\/a>$/);
    expect(await reader.locator('.copy').first().isVisible()).toBe(false);
    await reader.click('nav >> text=Check');
    await reader.fill('#check-domain', 'loops.example.org');
    await reader.keyboard.press('Enter');
    expect(await reader.locator('main h2').first().innerText()).toBe('What to cure');
    await reader.goto(`${live.url}/domains/unknown.example.org`);
    expect(await reader.locator('.actions a').allInnerTexts()).toEqual([
      'Add unknown.example.org',
      'Check unknown.example.org now',
    ]);
    await reader.click('nav >> text=Add');
    await reader.fill('#add-domain', DOWN_DOMAIN);
    await reader.keyboard.press('Enter');
    await reader.waitForURL(`**/domains/${DOWN_DOMAIN}`);
  });

  test('the static site has a page for every filter', async () => {
    await using plain = await browser.newContext({ javaScriptEnabled: false });
    const reader = await plain.newPage();
    await reader.goto(`${files.url}/`);
    expect(await reader.locator('.choose').isVisible()).toBe(false);
    await reader.click('.option:has-text("Open")');
    expect(reader.url()).toBe(`${files.url}/open/`);
    const text = await reader.locator('#results').innerText();
    await reader.click('.option:has-text("For You feed")');
    expect(reader.url()).toBe(`${files.url}/feature/for-you-feed/`);
    expect(await reader.locator('#results').innerText()).not.toBe(text);
    await reader.click('.chip >> nth=0');
    expect(reader.url()).toBe(`${files.url}/`);
  });
});

describe('a reader who has only a browser', () => {
  const sites = () => ({ live: live.url, static: files.url });

  test.each(['live', 'static'] as const)('learns on the second page how fast instances upgrade: %s', async (mode) => {
    await page.goto(`${sites()[mode]}/`);
    await page.click('nav >> text=Trends');
    const section = page.locator('section:has(> h2#versions)');
    expect(await section.innerText()).toMatch(/Half of all servers ran version 1\.1\.0 or newer \d+ days after/);
  });

  test.each(['live', 'static'] as const)('learns on the second page which server grew most: %s', async (mode) => {
    await page.setViewportSize({ width: 360, height: 780 });
    await page.goto(`${sites()[mode]}/`);
    await page.click('a:has-text("grew most")');
    const first = page.locator('#grown ~ * tbody tr').first();
    expect(await first.innerText()).toMatch(/\+\d+\s+\+[\d.]+%/);
    // Beside a name without a place to break, the number is still on the screen.
    const number = await first.locator('td').first().boundingBox();
    expect((number?.x ?? 360) + (number?.width ?? 0)).toBeLessThan(360);
  });

  test.each(['live', 'static'] as const)('copies the HTML of a badge with the keyboard: %s', async (mode) => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`${sites()[mode]}/instances/${DOWN_DOMAIN}/`);
    const [field, button] = [page.locator('.badges input').last(), page.locator('.badges button').last()];
    await field.focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await button.evaluate('document.activeElement.firstChild.data')).toBe('Copied');
    await page.goto(`${live.url}/domains`);
    await page.focus('#q');
    await page.keyboard.press('Control+V');
    expect(await page.inputValue('#q')).toMatch(/^<a href="http.*large.*height="32"><\/a>$/);
    expect(events.take()).toEqual([]);
  });

  test('learns on the third page since when an instance is down, and why', async () => {
    await page.goto(live.url);
    await page.fill('#q', DOWN_DOMAIN);
    await page.click(`.card:has-text("${DOWN_DOMAIN}") h3 a`);
    const text = await page.locator('.alarm').innerText();
    expect(text).toContain('Down since 16 Jun 2026');
    expect(text).toContain('nothing listens at the address');
  });

  test.each(['live', 'static'] as const)(
    'reads any value of a chart with the pointer or a finger: %s',
    async (mode) => {
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.goto(`${sites()[mode]}/stats/`);
      const users = page.locator('figure.chart:has(.plot[data-title=Users])');
      const latest = await users.locator('output').innerText();
      const points = JSON.parse((await users.locator('.plot').getAttribute('data-points')) ?? '') as [number, number][];
      const area = await users.locator('.plot-area').boundingBox();
      const at = (share: number) => [(area?.x ?? 0) + (area?.width ?? 0) * share, (area?.y ?? 0) + 60] as const;
      await page.mouse.move(...at(0.999));
      const [lastDay = 0, lastValue = 0] = points.at(-1) ?? [];
      expect(await users.locator('output').innerText()).toBe(
        `${english.format.date(lastDay * 86_400_000)}: ${english.format.number(lastValue)}`,
      );
      await page.mouse.move(...at(0.5));
      const middle = await users.locator('output').innerText();
      expect(middle).toMatch(/^\d+ \w+ 2025: [\d,]+$/);
      await page.mouse.move(5, 5);
      expect(await users.locator('output').innerText()).toBe(latest);
      await users.locator('.plot-area').dispatchEvent('pointerdown', { clientX: at(0.5)[0], pointerType: 'touch' });
      expect(await users.locator('output').innerText()).toBe(middle);
      expect(events.take()).toEqual([]);
    },
  );

  test.each(['live', 'static'] as const)('sorts the table by its heads: %s', async (mode) => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`${sites()[mode]}/table/`);
    await page.click('thead a:has-text("Users")');
    await expect.poll(() => page.locator('th[aria-sort=descending]').innerText()).toContain('Users');
    const sortedBy = async (column: number, order: string) => {
      await page.waitForURL(`**order=${order}**`);
      const texts = await page.locator(`tbody tr td:nth-of-type(${column})`).allInnerTexts();
      const counts = texts.slice(0, 20).map((text) => Number(text.replaceAll(',', '')));
      expect(counts).toEqual(counts.toSorted((one, other) => other - one));
    };
    await sortedBy(3, 'users');
    await page.click('thead a:has-text("Gained")');
    await expect.poll(() => page.locator('th[aria-sort=descending]').innerText()).toContain('Gained');
    await sortedBy(4, 'growth');
    for (const tag of await page.locator('td .tag').all()) expect((await tag.boundingBox())?.height).toBeLessThan(32);
  });

  test('reads the layers of a chart with the keyboard, and a range of it', async () => {
    await page.goto(`${live.url}/stats`);
    const figure = page.locator('figure.chart:has(.plot[data-title="Servers"])');
    const plot = figure.locator('.plot');
    await plot.focus();
    await page.keyboard.press('Home');
    expect(await figure.locator('output').innerText()).toMatch(/2024$/);
    const first = await figure.locator('.legend b').allInnerTexts();
    await page.keyboard.press('End');
    expect(await figure.locator('output').innerText()).toBe('30 Jun 2026');
    expect(await figure.locator('.legend b').allInnerTexts()).not.toEqual(first);
    expect(await plot.getAttribute('aria-valuetext')).toMatch(/^30 Jun 2026: Down \d+, Up \d+$/);
    await page.click('.ranges button:has-text("30 days")');
    expect(await plot.locator('.times text').allTextContents()).toEqual(['4 Jun', '12 Jun', '19 Jun', '27 Jun']);
    await page.click('.ranges button:has-text("All")');
    expect((await plot.locator('.times text').allTextContents()).join()).toContain('2025');
  });

  test('reads the charts of an instance without JavaScript', async () => {
    await using plain = await browser.newContext({ javaScriptEnabled: false });
    const reader = await plain.newPage();
    await reader.goto(`${files.url}/instances/${DOWN_DOMAIN}/`);
    expect(await reader.locator('.day-bars > g').count()).toBe(90);
    await reader.click('summary:has-text("The numbers of these charts")');
    expect(await reader.locator('#history ~ details tbody tr').count()).toBeGreaterThan(20);
  });
});

test('on a phone the first server is on the first screen', async () => {
  await page.setViewportSize({ width: 360, height: 780 });
  await page.goto(live.url);
  const tags = await page.locator('.card .tags').first().boundingBox();
  expect((tags?.y ?? 780) + (tags?.height ?? 0)).toBeLessThan(780);
});

test('the directory can be used with the keyboard alone', async () => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(live.url);
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.textContent')).toContain('Join one of');
  const visited: string[] = [];
  for (let press = 0; press < 12; press++) {
    await page.keyboard.press('Tab');
    visited.push(
      `${await page.evaluate('document.activeElement.textContent.trim()')} ${await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')}`,
    );
  }
  expect(visited.filter((text) => !text.endsWith(' solid'))).toEqual([]);
  await page.keyboard.press('Enter');
  await page.waitForURL(({ pathname, search }) => pathname !== '/' || search !== '');
});
