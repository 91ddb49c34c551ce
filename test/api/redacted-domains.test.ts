import { expect, test } from 'vitest';
import { storedDomain } from '../../src/model/domain/domain.ts';
import { hour, loopsVisit } from '../store/sample-visit.ts';
import { fillStore, nameOf, START, visitOnce } from './fill-store.ts';
import { openApi } from './open-api.ts';

const optedOutDomain = storedDomain('forgotten.example.org');
const noindexDomain = storedDomain('shy.example.org');

test('domains that opted out or ask not to be published are in no response, and are treated as unknown', async () => {
  const { get } = await openApi((store) => {
    fillStore(store, 5);
    for (const domain of [optedOutDomain, noindexDomain]) visitOnce(store, domain, START, loopsVisit(domain, START));
    visitOnce(store, optedOutDomain, START + hour, loopsVisit(optedOutDomain, START + hour, { version: '9.0.0' }));
    const { host } = loopsVisit(noindexDomain, START);
    const later = START + hour;
    visitOnce(
      store,
      noindexDomain,
      later,
      loopsVisit(noindexDomain, later, { version: '9.0.0', host: { ...host, noindex: true } }),
    );
    store.optOuts.forget([optedOutDomain], START + 2 * hour);
  });
  for (const url of [
    'instances?limit=500',
    'changes?limit=1000',
    'changes?order=oldest',
    'stats',
    'versions',
    'software',
  ]) {
    const { status, text } = await get(`/api/v1/${url}`);
    expect(status).toBe(200);
    expect(text).not.toContain('forgotten');
    expect(text).not.toContain('shy');
    expect(text).not.toContain('9.0.0');
  }
  expect((await get('/api/v1/stats')).json()).toMatchObject({ optOuts: 1, domains: { domains: 5 } });
  const paths = Object.keys((await get('/openapi.json')).json().paths).filter((path) => path.includes('{domain}'));
  expect(paths).not.toEqual([]);
  for (const path of paths) {
    const [unknown, ...others] = await Promise.all(
      ['unheard.example.org', optedOutDomain, `www.${optedOutDomain}`, `${optedOutDomain}:8443`, noindexDomain].map(
        (domain) => get(path.replace('{domain}', domain)),
      ),
    );
    expect(unknown?.status).toBe(404);
    for (const other of others) {
      expect([other.status, other.text]).toEqual([404, unknown?.text]);
      expect(Object.keys(other.headers)).toEqual(Object.keys(unknown?.headers ?? {}));
    }
  }
});

test('the 404 for an instance that is a known but unlisted domain names the path of its explanation', async () => {
  const other = storedDomain('other.example.org');
  const { get } = await openApi((store) => {
    const visit = loopsVisit(other, START);
    visitOnce(store, other, START, {
      ...visit,
      ...{ verdict: 'other', reason: 'nodeinfo-software', via: 'nodeinfo', software: 'mastodon', facts: null },
    });
  });
  const { status, text } = await get(`/api/v1/instances/${other}`);
  expect([status, JSON.parse(text).detail]).toEqual([
    404,
    `The domain is known, but not listed; /api/v1/domains/${other} explains why.`,
  ]);
  expect((await get(`/api/v1/domains/${other}`)).json()).toMatchObject({ domain: other, listed: false });
});

test('a domain forgotten while the API runs disappears from it within seconds', async () => {
  const { get, store } = await openApi((emptyStore) => fillStore(emptyStore, 3));
  expect((await get(`/api/v1/instances/${nameOf(1)}`)).status).toBe(200);
  store.optOuts.forget([nameOf(1)], START + 2 * hour);
  expect((await get(`/api/v1/domains/${nameOf(1)}`)).status).toBe(404);
  await expect.poll(async () => (await get(`/api/v1/instances/${nameOf(1)}`)).status).toBe(404);
  expect((await get('/api/v1/instances')).json().total).toBe(2);
});
