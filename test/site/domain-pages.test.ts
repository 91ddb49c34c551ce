import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromNow } from '../../src/explain/words.ts';
import { storedDomain } from '../../src/model/domain/domain.ts';
import { otherDomains } from '../../src/site/directory/other-domains.ts';
import { staticSite } from '../../src/site/site.ts';
import { english } from '../../src/site/words/english.ts';
import { unvisitedRecord } from '../model/unvisited-record.ts';
import { loopsVisit, recordedVisit } from '../store/sample-visit.ts';
import { type OpenedSite, openSite } from './open-site.ts';
import { DOWN_DOMAIN, domainOf, HOSTILE_DOMAIN, NOW } from './site-store.ts';

const OTHER = storedDomain('pixels.example.org');
const HIDDEN = storedDomain('hidden.example.org');

let site: OpenedSite;
const get = async (path: string) => {
  const response = await fetch(site.url + path, { redirect: 'manual' });
  return { status: response.status, location: response.headers.get('location'), text: await response.text() };
};

beforeAll(async () => {
  site = await openSite({ instances: 12, days: 30, everyDays: 10 });
  const { store } = site;
  store.domains.enter([OTHER, HIDDEN], NOW);
  const outcome = { verdict: 'other', reason: 'nodeinfo-software', via: 'nodeinfo', software: 'pixelfed' } as const;
  store.visits.record(
    store.due.pick(2, NOW, [OTHER, HIDDEN]).map((picked) => {
      const { domain } = picked.record;
      const visit = loopsVisit(domain, NOW, { ...outcome, version: '0.12.6', facts: null });
      const recorded = recordedVisit(picked, NOW, visit);
      if (domain === OTHER) return recorded;
      return { ...recorded, after: { ...recorded.after, host: { ...recorded.after.host, noindex: true } } };
    }),
  );
});
afterAll(() => site[Symbol.asyncDispose]());

describe('the page of a domain', () => {
  test.each([DOWN_DOMAIN, OTHER, domainOf(3)])('gives the explanation of the API: %s', async (domain) => {
    const { status, text } = await get(`/domains/${domain}`);
    const explanation = await (await fetch(`${site.url}/api/v1/domains/${domain}`)).json();
    const { headline, why, whatWouldChange, visits } = explanation as Record<string, string> & {
      whatWouldChange: string[];
      visits: { means: string; steps: { came: string }[] }[];
    };
    expect(status).toBe(200);
    const shown = text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
    expect(visits.length).toBeGreaterThan(0);
    const lines = [...whatWouldChange.flatMap((cure) => cure.split('\n')), ...visits.map(({ means }) => means)];
    for (const sentence of [headline ?? '', why ?? '', ...lines])
      expect(shown).toContain(english.format.withTimes(sentence));
    expect(shown).not.toMatch(/\d-\d\d \d\d:\d\d UTC/);
  });

  test('rounds durations as the explanation does', () => {
    for (const hours of [1.4, 1.6, 28.6, 36.4, 36.6, 85, 1_400, 9_000, 30_000]) {
      const at = NOW + hours * 3_600_000;
      expect(english.format.ago(at, NOW)).toBe(fromNow(at, NOW));
      expect(`in ${english.format.age(at - NOW)}`).toBe(fromNow(at, NOW));
    }
  });

  test('is the same 404 for an unknown domain and one that asks not to be published', async () => {
    const [unknown, hidden] = [await get('/domains/unknown.example.org'), await get(`/domains/${HIDDEN}`)];
    expect([unknown.status, hidden.status]).toEqual([404, 404]);
    expect(hidden.text.replaceAll(HIDDEN, 'X')).toBe(unknown.text.replaceAll('unknown.example.org', 'X'));
  });

  test('is a 404 for a text that is not a domain', async () => {
    expect((await get('/domains/no%20domain')).status).toBe(404);
  });
});

describe('the search', () => {
  test.each([
    [false, '1 other domain'],
    [true, 'The first other domains'],
  ])('counts other domains only if it shows all of them; there are more: %s', (hasMore, title) => {
    const others = { domains: [unvisitedRecord(OTHER, NOW)], hasMore, unknown: null };
    expect(otherDomains(others, staticSite({ path: '/', at: NOW }))).toContain(`>${title}</h3>`);
  });

  test.each([
    ['a listed domain', domainOf(3), `/instances/${domainOf(3)}`],
    ['its URL in capitals', `HTTPS://${domainOf(3).toUpperCase()}/@user`, `/instances/${domainOf(3)}`],
    ['another known domain', OTHER, `/domains/${OTHER}`],
    ['anything else', 'a&b', '/?q=a%26b'],
    ['nothing', '', '/'],
  ])('leads from %s to its page, or to the directory', async (_what, query, location) => {
    expect(await get(`/domains?q=${encodeURIComponent(query)}`)).toMatchObject({ status: 303, location });
  });

  test('lists servers by any part of their name, and below them other known domains by their beginning', async () => {
    const { text } = await get('/?q=pi');
    expect(text).toContain(`href="/domains/${OTHER}"`);
    expect(text).not.toContain(HIDDEN);
    expect((await get('/?q=berlin')).text).toContain('Loops Berlin 11');
  });

  test('finds a domain by its URL', async () => {
    expect((await get(`/?q=${encodeURIComponent(`https://${OTHER}/about`)}`)).text).toContain(
      `href="/domains/${OTHER}"`,
    );
  });

  test('says that nothing is known, and shows the query as text', async () => {
    const { status, text } = await get(`/?q=${encodeURIComponent('<script>"x')}`);
    expect(status).toBe(200);
    expect(text).toContain(english.directory.results.none);
    expect(text).not.toContain('<script>"x');
    expect((await get(`/?q=${HIDDEN}`)).text).not.toContain(`href="/domains/${HIDDEN}"`);
  });

  test('shows the name of a hostile instance as text', async () => {
    const { text } = await get('/?q=example.net');
    expect(text).toContain(HOSTILE_DOMAIN);
    expect(text).not.toContain('<img src=x');
  });

  test('has one field, in the header of every page', async () => {
    for (const path of ['/', '/?q=cat', '/stats', `/domains/${OTHER}`, '/domains/unknown.example.org'])
      expect((await get(path)).text.match(/<input[^>]*type="search"/g), path).toHaveLength(1);
  });
});
