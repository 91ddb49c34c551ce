import { expect, test } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import { sampleDomains } from './sample-visit.ts';
import { scratchPath } from './scratch.ts';

const at = Date.UTC(2026, 0, 1);

test('names are withheld as soon as another process has opted them out, and nothing before', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  await using elsewhere = await openStore({ path });
  const [one = ''] = sampleDomains(1);
  const body = Buffer.from(`{"moved":"https:\\/\\/www.${one}:8443"}`);
  expect(store.withholding.inBody(body)).toBe(body);
  elsewhere.forget(sampleDomains(1), at);
  expect(Buffer.from(store.withholding.inBody(body)).toString()).toBe('{"moved":"https:\\/\\/opted-out.invalid:8443"}');
  expect(store.withholding.inText(`was ${one}`)).toBe('was opted-out.invalid');
});

test('a body with a thousand names is told as one with a few', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  const domains = sampleDomains(1_000);
  store.forget(domains.slice(0, 500), at);
  const told = Buffer.from(store.withholding.inBody(Buffer.from(domains.join(' '))))
    .toString()
    .split(' ');
  expect(told).toEqual([...Array.from({ length: 500 }, () => 'opted-out.invalid'), ...domains.slice(500)]);
});
