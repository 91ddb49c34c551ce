import { load } from 'cheerio';
import { describe, expect, test } from 'vitest';
import { crawlNotice } from '../../src/site/directory/crawl-notice.ts';
import { liveSite } from '../../src/site/site.ts';
import { type OpenedSite, openSite } from './open-site.ts';
import { domainOf } from './site-store.ts';

const page = async (site: OpenedSite, path: string) => load(await (await fetch(site.url + path)).text());
const none = { due: 0, lateSeconds: null };

/** The health of a crawler with this many new domains before it. */
const health = (waiting: number, phase: 'crawling' | 'offline') => () => ({
  ...{ status: 'ok' as const, problems: [], visits: { total: 100, byVerdict: {}, failureRates: {} } },
  crawl: { phase, offlineSince: phase === 'offline' ? '2026-06-30T11:00:00.000Z' : null, running: 0 },
  backlog: { live: none, new: { due: waiting, lateSeconds: 60 }, known: none, dead: none },
});

describe('on the first day', () => {
  test('every chart has a bar for the day, one date on its axis, and its values as CSV', async () => {
    await using site = await openSite({ instances: 30, days: 0, everyDays: 7 });
    const domain = domainOf(4);
    for (const path of ['/stats', `/instances/${domain}`]) {
      const $ = await page(site, path);
      const figures = $('figure.chart').toArray();
      expect(figures.length, path).toBeGreaterThan(2);
      for (const figure of figures) {
        const title = $(figure).find('h3').text();
        expect($(figure).find('path.bar').length, title).toBeGreaterThan(0);
        expect($(figure).find('.tick').text(), title).toBe('30 Jun');
        const csv = await fetch(site.url + ($(figure).find('a.csv').attr('href') ?? ''));
        expect(csv.headers.get('content-type'), title).toBe('text/csv; charset=utf-8');
        expect(await csv.text(), title).toContain('\r\n2026-06-30,');
      }
    }
    expect((await page(site, '/stats'))('main').text()).toContain('The record begins on 30 Jun 2026.');
    expect((await page(site, `/instances/${domain}`))('.day-bars > g')).toHaveLength(30);
  });

  test('a chart without any value says so', async () => {
    await using site = await openSite({ instances: 30, days: 0, everyDays: 7 });
    const $ = await page(site, `/instances/${domainOf(2)}`);
    expect($('figure.chart').first().text()).toContain('It has not reported this yet.');
  });

  test('a new directory says how many domains wait, and how long the first pass takes', async () => {
    await using site = await openSite({ instances: 10, days: 0, everyDays: 7 }, { health: health(400, 'crawling') });
    const text = (await page(site, '/'))('#news').parent().text();
    expect(text).toContain('400 of them wait for their first visit');
    expect(text).toContain('in about 4 hours');
  });

  test('a directory that knows no domain yet says that lists are being read, and nothing about zero domains', async () => {
    const news = { at: 0, phase: 'crawling', offlineSince: null, waiting: 0, domains: 0, visitsLastHour: 0 } as const;
    const text = load(crawlNotice(news, 0, liveSite({ path: '/', at: 0 }))).text();
    expect(text).toContain('Lists of domains are being read.');
    expect(text).not.toMatch(/\b0\b|All of them/);
  });

  test('an established directory says nothing about its crawler', async () => {
    await using site = await openSite({ instances: 10, days: 0, everyDays: 7 }, { health: health(1, 'crawling') });
    expect((await page(site, '/'))('#news')).toHaveLength(0);
  });

  test('a crawler that is offline is said on the front page, with the time since', async () => {
    await using site = await openSite({ instances: 10, days: 0, everyDays: 7 }, { health: health(0, 'offline') });
    const text = (await page(site, '/'))('#news').parent().text();
    expect(text).toContain('The crawler is offline');
    expect(text).toContain('since 30 Jun 2026, 11:00');
  });
});
