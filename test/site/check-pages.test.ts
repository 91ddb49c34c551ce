import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createVisitorChecks, type VisitorChecks } from '../../src/app/visitor-checks.ts';
import { reportView } from '../../src/check/report-view.ts';
import { createHourlyLimit } from '../../src/crawl/hourly-limit.ts';
import type { SubmissionResult } from '../../src/directory/submit.ts';
import { type Domain, storedDomain } from '../../src/model/domain/domain.ts';
import { allFindings } from '../../src/report/view.ts';
import type { CheckAnswer } from '../../src/site/check/check-answer.ts';
import { openStore } from '../../src/store/open-store.ts';
import { brokenReport, hostileReport } from '../check/sample-reports.ts';
import { type OpenedSite, openSite } from './open-site.ts';
import { DOWN_DOMAIN, NOW } from './site-store.ts';

const SMALL = { instances: 4, days: 20, everyDays: 10 };
const broken = reportView(brokenReport());
const againAt = NOW + 600_000;

let site: OpenedSite;
let siteWithoutChecks: OpenedSite;
let answer: CheckAnswer;
const checked: Domain[] = [];
const get = async (path: string, from = site, method = 'GET') => {
  const response = await fetch(from.url + path, { method });
  const text = await response.text();
  return { status: response.status, text, cacheControl: response.headers.get('cache-control') };
};
/** The HTML of a page with its character references decoded. */
const shown = (text: string) => text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));

beforeAll(async () => {
  const check = async (domain: Domain) => {
    checked.push(domain);
    return answer;
  };
  site = await openSite(SMALL, { check });
  siteWithoutChecks = await openSite(SMALL);
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await siteWithoutChecks[Symbol.asyncDispose]();
});

describe('the page of a check', () => {
  test('shows the headline, every finding with its cure, the facts and what clients see', async () => {
    answer = { kind: 'done', report: broken, againAt };
    const { status, text, cacheControl } = await get('/check?domain=loops.example.org');
    expect([status, cacheControl]).toEqual([200, 'no-store']);
    const page = shown(text);
    expect(page).toContain(broken.headline.text);
    for (const { title, detail, cure, severity } of allFindings(broken)) {
      expect(page).toContain(title);
      if (severity === 'pass') continue;
      for (const paragraph of detail) expect(page).toContain(paragraph);
      for (const block of cure ?? [])
        expect(page).toContain(block.kind === 'prose' ? block.text : block.lines.join('\n'));
    }
    for (const [label, value] of broken.facts?.rows ?? []) expect(page).toContain(`<dt>${label}</dt><dd>${value}`);
    for (const { name } of broken.clients.rows) expect(page).toContain(name);
  });

  test('shows hostile texts as text', async () => {
    answer = { kind: 'done', report: reportView(hostileReport()), againAt };
    const { text } = await get('/check?domain=loops.example.org');
    expect(text).not.toMatch(/<script(?! type="module" src="\/assets)|<img(?! src="\/assets)|onerror=[^&]|<iframe/i);
  });

  test('reloads itself while the check runs or waits', async () => {
    for (const one of [{ kind: 'running', seconds: 12 }, { kind: 'waiting' }] as const) {
      answer = one;
      const { status, headers } = await fetch(`${site.url}/check?domain=loops.example.org`);
      expect([status, headers.get('refresh')]).toEqual([200, '3']);
    }
    answer = { kind: 'running', seconds: 12 };
    expect((await get('/check?domain=loops.example.org')).text).toMatch(
      /<progress max="60" value="12"[^>]*>.*\s.*12 seconds so far/,
    );
  });

  test.each<[CheckAnswer, number, RegExp]>([
    [{ kind: 'limited', by: 'client', retryAfterSeconds: 130 }, 429, /Try again in 3 minutes/],
    [{ kind: 'limited', by: 'host', retryAfterSeconds: 60 }, 429, /Try again in 1 minute\./],
    [{ kind: 'opted-out' }, 404, /cannot be checked here/],
    [{ kind: 'failed' }, 503, /no fault of the server/],
  ])('says why there is no report: %j', async (refusal, expected, sentence) => {
    answer = refusal;
    const { status, text, cacheControl } = await get('/check?domain=loops.example.org');
    expect([status, cacheControl]).toEqual([expected, 'no-store']);
    expect(text).toMatch(sentence);
    expect(text).toContain('loopscout check loops.example.org');
  });

  test('starts a check only for GET with a public domain', async () => {
    checked.length = 0;
    answer = { kind: 'running', seconds: 0 };
    expect((await get('/check')).status).toBe(200);
    expect((await get('/check?domain=loops.example.org', site, 'HEAD')).status).toBe(200);
    for (const text of ['127.0.0.1', 'localhost', '[::1]', 'printer.local', 'http://127.0.0.1:8089', '10.0.0.1:443']) {
      expect((await get(`/check?domain=${encodeURIComponent(text)}`)).status, text).toBe(400);
    }
    expect(checked).toEqual([]);
    await get(`/check?domain=${encodeURIComponent('https://LOOPS.example.org/about')}`);
    expect(checked).toEqual(['loops.example.org']);
  });

  test('is linked from the page of a domain', async () => {
    expect(shown((await get(`/domains/${DOWN_DOMAIN}`)).text)).toContain(`href="/check?domain=${DOWN_DOMAIN}"`);
  });
});

test('a site without checks refuses them, links to none, and shows the command', async () => {
  const { status, text } = await get('/check?domain=loops.example.org', siteWithoutChecks);
  expect(status).toBe(403);
  expect(text).toContain('loopscout check loops.example.org');
  expect(shown((await get(`/domains/${DOWN_DOMAIN}`, siteWithoutChecks)).text)).not.toContain('/check?');
});

describe('a site that accepts submissions', () => {
  const submitted: Domain[] = [];
  let result: SubmissionResult;
  let siteWithSubmissions: OpenedSite;
  beforeEach(async () => {
    submitted.length = 0;
    siteWithSubmissions = await openSite(SMALL, {
      submit: async (domain) => {
        submitted.push(domain);
        return result;
      },
    });
  });
  afterEach(() => siteWithSubmissions[Symbol.asyncDispose]());
  const revisit = (init: RequestInit = {}, domain: string = DOWN_DOMAIN) =>
    fetch(`${siteWithSubmissions.url}/revisit?domain=${domain}`, { redirect: 'manual', ...init });

  test.each(['instances', 'domains'])('offers "Check again" on the pages of %s', async (folder) => {
    const { text } = await get(`/${folder}/${DOWN_DOMAIN}`, siteWithSubmissions);
    expect(shown(text)).toContain(`href="/revisit?domain=${DOWN_DOMAIN}">Check again<`);
    expect(shown((await get(`/${folder}/${DOWN_DOMAIN}`, siteWithoutChecks)).text)).not.toContain('/revisit?');
  });

  test('has the domain visited, and then shows why it is listed or not', async () => {
    result = { kind: 'visited' };
    const { status, headers } = await revisit();
    expect([status, headers.get('location')]).toEqual([303, `/domains/${DOWN_DOMAIN}`]);
    expect(submitted).toEqual([DOWN_DOMAIN]);
  });

  test.each<[SubmissionResult, number, string]>([
    [{ kind: 'recent', againAt: NOW + 600_000 }, 429, 'within the last hour'],
    [
      { kind: 'busy', why: 'Too many domains are waiting.', retryAfterSeconds: 60 },
      429,
      'Too many domains are waiting.',
    ],
    [{ kind: 'unvisited', why: 'The crawler is offline.' }, 503, 'The crawler is offline.'],
  ])('says why there is no visit: %j', async (refusal, expectedStatus, words) => {
    result = refusal;
    const response = await revisit();
    expect(response.status).toBe(expectedStatus);
    expect(await response.text()).toContain(words);
  });

  test('visits for nobody but a visitor of its own pages, only known domains, and ten for one address within an hour', async () => {
    result = { kind: 'visited' };
    await revisit({ method: 'HEAD' });
    await revisit({ headers: { 'sec-fetch-site': 'cross-site' } });
    expect((await revisit({}, 'unknown.example.org')).status).toBe(404);
    expect(submitted).toEqual([]);
    const statuses: number[] = [];
    for (let i = 0; i < 11; i++) statuses.push((await revisit()).status);
    expect(statuses).toEqual([...Array(10).fill(303), 429]);
    expect(submitted).toHaveLength(10);
  });
});

test('a site without submissions has nothing visited', async () => {
  expect((await get(`/revisit?domain=${DOWN_DOMAIN}`, siteWithoutChecks)).status).toBe(403);
});

test('a cached report that names a host is not shown once another process has forgotten the host', async () => {
  const report = { ...broken, headline: { ...broken.headline, text: 'It redirects to https://gone.example.net/.' } };
  let checks: VisitorChecks | null = null;
  await using opened = await openSite(SMALL, {
    check: (...asked) => checks?.check(...asked) ?? expect.unreachable(),
  });
  checks = createVisitorChecks({
    check: async () => report,
    limit: createHourlyLimit(() => 0),
    reader: opened.store.reader(),
    onError: (error) => expect.unreachable(String(error)),
    answerWithinMs: 1_000,
    now: () => NOW,
    clock: () => 0,
  });
  const shownBy = async (domain: string) => shown((await get(`/check?domain=${domain}`, opened)).text);
  for (let time = 0; time < 2; time++) expect(await shownBy('leads.example.org')).toContain(report.headline.text);
  {
    await using other = await openStore({ path: opened.path });
    other.optOuts.forget([storedDomain('gone.example.net')], NOW);
  }
  expect(await shownBy('leads.example.org')).not.toContain('gone.example.net');
  await checks[Symbol.asyncDispose]();
});
