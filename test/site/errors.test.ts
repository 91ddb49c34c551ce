import { expect, test } from 'vitest';
import { createErrorPage } from '../../src/site/routes.ts';
import { openApi } from '../api/open-api.ts';

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

test('a browser gets problems as pages; a program, and any client of the API, gets JSON', async () => {
  const { get } = await openApi();
  for (const [url, status] of [
    ['/nothing', 404],
    ['/a/b/c', 404],
    ['/%zz', 400],
    [`/${'x'.repeat(5_000)}`, 414],
  ] as const) {
    const page = await get(url, html);
    expect([page.status, page.headers['content-type']], url).toEqual([status, 'text/html; charset=utf-8']);
    expect(page.text, url).toContain('<h1>');
    expect(page.headers['cache-control']).toBe('no-store');
    const problem = await get(url);
    expect([problem.status, problem.headers['content-type']], url).toEqual([status, 'application/problem+json']);
  }
  const { headers } = await get('/api/v1/nothing', html);
  expect(headers['content-type']).toBe('application/problem+json');
});

test('a client with too many requests gets a page with the time to wait, and assets are counted apart', async () => {
  const { api, get } = await openApi(() => {}, { ratePerMinute: 2 });
  api.get('/page', { config: { page: '/page' } }, () => Buffer.from('page'));
  api.get('/asset', { config: { page: '/asset', isAsset: true } }, () => Buffer.from('asset'));
  for (const status of [200, 200, 429]) expect((await get('/asset')).status).toBe(status);
  const responses = [await get('/page'), await get('/page'), await get('/page')];
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 429]);
  expect(responses[2]?.headers['retry-after']).toMatch(/^\d+$/);
  expect(responses[2]?.text).toContain('Wait a minute');
});

test('before the first read of the database, the error page says that the directory is being read', () => {
  const page = createErrorPage()({ status: 503, detail: 'The directory has not been read yet.' });
  expect(page).toContain('The directory is being read');
  expect(page).toContain('<meta name="robots" content="noindex">');
});
