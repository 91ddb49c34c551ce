import { expect, test } from 'vitest';
import { openSite } from '../site/open-site.ts';

test('the health is read from the database at most once in five seconds, however many clients ask for it', async () => {
  let reads = 0;
  const health = () => {
    reads += 1;
    return { status: 'ok' as const, problems: [] };
  };
  await using site = await openSite({ instances: 2, days: 2, everyDays: 1 }, { health });
  reads = 0;
  const start = performance.now();
  const paths = Array.from({ length: 30 }, () => ['/health', '/metrics', '/crawler']).flat();
  const statuses = await Promise.all(paths.map(async (path) => (await fetch(site.url + path)).status));
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(reads).toBeLessThanOrEqual(1 + (performance.now() - start) / 5_000);
});
