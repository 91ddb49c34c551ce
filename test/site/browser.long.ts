import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reportView } from '../../src/check/report-view.ts';
import { createAbout } from '../../src/service/about.ts';
import { writeDatasets } from '../../src/service/tasks/write-datasets.ts';
import { loadSettings } from '../../src/settings/settings.ts';
import type { CheckDesk } from '../../src/site/check/check-desk.ts';
import { launchBrowser } from '../browser/launch-browser.ts';
import { hostileReport } from '../check/sample-reports.ts';
import { type OpenedSite, openSite } from './open-site.ts';
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

const PREFIX = '/some/folder';
const LIVE_PAGES = PAGES.filter(({ isOnlyStatic }) => !isOnlyStatic);
const STATIC_PAGES = PAGES.filter(({ isStatic }) => isStatic);

const check: CheckDesk['check'] = async () => ({
  ...{ kind: 'done', againAt: NOW + 600_000 },
  report: reportView(hostileReport()),
});
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
  [browser, live] = await Promise.all([launchBrowser(), openSite(undefined, { check: { check }, health })]);
  folder = join(dirname(live.path), 'public');
  await writeDatasets(
    {
      ...{ database: live.path, dir: join(dirname(live.path), 'export'), at: NOW, contact: 'https://example.org/bot' },
      ...{
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
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      faults.push(...(await faultsOf(page, live.url + target.path, { status: target.status, events, rules })));
    }
    expect(faults).toEqual([]);
    if (target.showsHostile) expect(await page.locator('main').innerText()).toContain(HOSTILE_TEXT.slice(0, 60));
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
  test.each(STATIC_PAGES)('$path is small, accessible and without faults', async (target) => {
    await page.setViewportSize({ width: 768, height: 900 });
    expect(await faultsOf(page, files.url + target.path, { events, rules: 'visual' })).toEqual([]);
    const policy = await page.getAttribute('meta[http-equiv=content-security-policy]', 'content');
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
    'q=hostile',
    'q=no-such-name&registration=closed&status=up',
    'order=version&page=3',
    'order=name&view=table',
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
    expect(new URL(reader.url()).search).toBe('?q=loops&order=users&registration=open&standing=current');
    expect(await reader.locator('.card').count()).toBeGreaterThan(3);
    expect(await reader.locator('.chip').allInnerTexts()).toHaveLength(4);
    await reader.click('.switch a:has-text("Table")');
    expect(await reader.locator('tbody tr').count()).toBeGreaterThan(3);
    await reader.click('.chip:has-text("Clear all filters")');
    await reader.click('.pages a[rel=next]');
    expect(new URL(reader.url()).pathname).toBe('/page/2/');
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
    expect(await section.innerText()).toMatch(/Half of all instances ran version 1\.1\.0 or newer \d+ days after/);
  });

  test('learns on the third page since when an instance is down, and why', async () => {
    await page.goto(live.url);
    await page.fill('#q', DOWN_DOMAIN);
    await page.press('#q', 'Enter');
    await page.click(`.card:has-text("${DOWN_DOMAIN}") h3 a`);
    const text = await page.locator('.alarm').innerText();
    expect(text).toContain('Down since 16 Jun 2026');
    expect(text).toContain('nothing listens at the address');
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

test('the directory can be used with the keyboard alone', async () => {
  await page.goto(live.url);
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.textContent')).toContain('Join an open instance');
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
