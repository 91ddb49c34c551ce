import { readFileSync } from 'node:fs';
import ipaddr from 'ipaddr.js';
import { expect, test } from 'vitest';
import { contentNetworkOf } from '../../../src/identify/hosting/content-networks.ts';

test.each([
  ['104.16.132.229', 'Cloudflare'],
  ['172.67.1.1', 'Cloudflare'],
  ['2606:4700:10::6814:55', 'Cloudflare'],
  ['151.101.1.69', 'Fastly'],
  ['2a04:4e42::81', 'Fastly'],
  ['23.215.0.136', 'Akamai'],
  ['2600:1408:20::1', 'Akamai'],
  ['13.32.99.1', 'CloudFront'],
  ['108.156.1.1', 'CloudFront'],
  ['2600:9000:2000::1', 'CloudFront'],
  ['185.93.1.243', 'Bunny'],
  ['2400:52e0:1500::714:1', 'Bunny'],
  // Machines for rent of the same companies.
  ['172.232.1.1', null],
  ['3.5.140.1', null],
  ['1.1.1.1', null],
  ['193.0.6.139', null],
])('%s belongs to the content network %s', (address, name) => {
  expect(contentNetworkOf(address)).toBe(name);
});

test('each list names its source, and no range is in two lists', () => {
  const lists = JSON.parse(readFileSync(new URL('../../../data/content-networks.json', import.meta.url), 'utf8'));
  expect(lists.map(({ name }: { name: string }) => name)).toEqual([
    'Cloudflare',
    'Fastly',
    'Akamai',
    'CloudFront',
    'Bunny',
  ]);
  for (const { name, source, date, ranges } of lists) {
    expect(source).toMatch(/^https:\/\//);
    expect(date ?? '2026-01-01').toMatch(/^20\d\d-\d\d-\d\d$/);
    const owners = ranges.map((range: string) => contentNetworkOf(ipaddr.parseCIDR(range)[0].toString()));
    expect(new Set(owners)).toEqual(new Set([name]));
  }
});
