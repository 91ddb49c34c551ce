import { load } from 'cheerio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SubmissionResult } from '../../src/directory/submit.ts';
import type { Domain } from '../../src/model/domain/domain.ts';
import { loadSettings } from '../../src/settings/settings.ts';
import { addPage } from '../../src/site/add/add-page.ts';
import { createBrand } from '../../src/site/brand.ts';
import { staticSite } from '../../src/site/site.ts';
import { type OpenedSite, openSite } from './open-site.ts';
import { DOWN_DOMAIN } from './site-store.ts';

const SMALL = { instances: 4, days: 20, everyDays: 10 };
let open: OpenedSite;
let closed: OpenedSite;
let answer: SubmissionResult;
const submitted: Domain[] = [];
const get = async (path: string, from = open, init: RequestInit = {}) => {
  const response = await fetch(from.url + path, { redirect: 'manual', headers: { accept: 'text/html' }, ...init });
  return { status: response.status, location: response.headers.get('location'), $: load(await response.text()) };
};

beforeAll(async () => {
  const submit = async (domain: Domain) => {
    submitted.push(domain);
    return answer;
  };
  const check = async () => ({ kind: 'running' as const, seconds: 0 });
  [open, closed] = await Promise.all([openSite(SMALL, { submit, check }), openSite(SMALL)]);
});
afterAll(async () => {
  await open[Symbol.asyncDispose]();
  await closed[Symbol.asyncDispose]();
});

test('every page has both in its menu: check a server, add a server', async () => {
  for (const path of ['/', '/stats', '/about', '/api', '/nothing']) {
    const { $ } = await get(path);
    expect(
      $('.menu a')
        .get()
        .map((link) => $(link).attr('href')),
      path,
    ).toEqual(expect.arrayContaining(['/check', '/add']));
  }
});

test.each<[SubmissionResult, number, string | null]>([
  [{ kind: 'visited' }, 303, '/domains/new.example.org'],
  [{ kind: 'visiting' }, 303, '/domains/new.example.org'],
  [{ kind: 'recent', againAt: 0 }, 303, '/domains/new.example.org'],
  [{ kind: 'busy', why: 'Too many wait.', retryAfterSeconds: 60 }, 429, 'Too many wait.'],
  [{ kind: 'unvisited', why: 'It is offline.' }, 503, 'It is offline.'],
  [{ kind: 'opted-out' }, 404, 'This domain cannot be added here.'],
])('the form submits the domain; %o leads to the page of the domain or says why not', async (given, status, what) => {
  answer = given;
  submitted.length = 0;
  const result = await get('/add?domain=%20https://new.example.org/%20');
  expect(submitted).toEqual(['new.example.org']);
  expect([result.status, result.location ?? result.$('[role="alert"]').text()]).toEqual([status, what]);
});

test('no link checker, other site, empty form or text that is no domain submits anything', async () => {
  submitted.length = 0;
  expect((await get('/add?domain=new.example.org', open, { method: 'HEAD' })).status).toBe(200);
  const { $ } = await get('/add?domain=new.example.org', open, { headers: { 'sec-fetch-site': 'cross-site' } });
  expect($('#add-domain').val()).toBe('new.example.org');
  expect((await get('/add')).status).toBe(200);
  const wrong = await get(`/add?domain=${encodeURIComponent('"><script>')}`);
  expect([wrong.status, wrong.$('#add-domain').val(), wrong.$('main script').length]).toEqual([400, '"><script>', 0]);
  expect(submitted).toEqual([]);
});

test('an unknown domain leads to a check and to the form, on its page and in the search', async () => {
  // A site that offers neither says there whom to write to and what to run.
  for (const from of [open, closed]) {
    for (const path of ['/domains/new.example.org', '/?q=new.example.org']) {
      const { $ } = await get(path, from);
      expect(
        $('main .actions a')
          .get()
          .map((link) => $(link).attr('href')),
        path,
      ).toEqual(expect.arrayContaining(['/add?domain=new.example.org', '/check?domain=new.example.org']));
    }
  }
  expect((await get(`/domains/${DOWN_DOMAIN}`)).status).toBe(200);
});

test('without submissions or checks, the pages say whom to write to and what to run', async () => {
  const { status, $ } = await get('/add?domain=new.example.org', closed);
  expect([status, $('form[action="/add"]').length, $('.hero a').attr('href')]).toEqual([
    200,
    0,
    'https://example.org/bot',
  ]);
  const check = await get('/check', closed);
  expect([check.status, check.$('main code').text()]).toEqual([200, 'loopscout check loops.example']);
});

test('a static site leads to site.liveUrl, or has a page of its own that says whom to write to', () => {
  const linksOf = (liveUrl: string | null) => {
    const brand = createBrand(loadSettings({ file: null, env: {}, flags: { site: { liveUrl } } }).site);
    const site = staticSite({ path: '/add/', at: 0, brand });
    const $ = load(addPage({ domain: '', problem: null, contact: 'me@clips.example' }, site));
    return [
      $('.hero a').attr('href'),
      ...$('.menu a')
        .get()
        .map((link) => $(link).attr('href')),
    ];
  };
  expect(linksOf(null)).toEqual(expect.arrayContaining(['mailto:me@clips.example', '../check/', '../add/']));
  expect(linksOf('https://live.example/')).toEqual(
    expect.arrayContaining(['https://live.example/check', 'https://live.example/add']),
  );
});
