import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { openSite } from './open-site.ts';

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
  for (const path of [url, `${url}/feed.atom`]) {
    expect(await readAs('evil.example', path)).toContain('evil.example');
    expect(await readAs('directory.example', path)).not.toContain('evil.example');
  }
});
