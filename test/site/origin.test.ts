import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { openSite } from './open-site.ts';

/** The body of the response to a request with this Host header. */
function readAs(host: string, url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { host } }, (response) => resolve(text(response))).on('error', reject);
  });
}

test('a page contains the host of its own request, never that of an earlier one', async () => {
  await using site = await openSite({ instances: 2, days: 10, everyDays: 5 });
  const list = (await (await fetch(`${site.url}/api/v1/instances?limit=1`)).json()) as {
    instances: { domain: string }[];
  };
  const url = `${site.url}/instances/${list.instances[0]?.domain}`;
  for (const target of [
    url,
    `${url}/feed.atom`,
    `${site.url}/data`,
    `${site.url}/robots.txt`,
    `${site.url}/sitemap.xml`,
  ]) {
    expect(await readAs('evil.example', target)).toContain('evil.example');
    expect(await readAs('directory.example', target)).not.toContain('evil.example');
    expect((await fetch(target)).headers.get('cache-control'), target).toBe('private, max-age=60');
  }
});

test('a path with an invalid domain is not found, and search engines must not index a filter without a result', async () => {
  await using site = await openSite({ instances: 2, days: 10, everyDays: 5 });
  for (const path of ['/instances/x', '/instances/x/feed.atom', '/instances/x/badge.svg'])
    expect((await fetch(site.url + path)).status, path).toBe(404);
  const invented = await fetch(`${site.url}/version/9.9.9`);
  expect([invented.status, await invented.text()]).toEqual([200, expect.stringContaining('content="noindex"')]);
  const sitemap = await (await fetch(`${site.url}/sitemap.xml`)).text();
  const paths = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, loc = '']) => new URL(loc).pathname);
  expect(paths.length).toBeGreaterThan(8);
  for (const path of paths)
    expect(await (await fetch(site.url + path)).text(), path).not.toContain('content="noindex"');
});
