import { expect, it, onTestFinished } from 'vitest';
import { createFleet, type HostRow } from '../../src/reference/index.ts';
import { problemsOfChecks } from './check-fleet.ts';

/** One of each way to go wrong; the long tests have them all. */
const KINDS = [
  'loops',
  'loops-config-closed',
  'loops-config-gzip-bomb',
  'loops-only-software',
  'loops-wrong-types',
  'loops-odd-counts',
  'loops-robots-forbids-all',
  'mastodon-html-404',
  'nodeinfo-odd-types',
  'nodeinfo-deep',
  'links-torn',
  'href-redirected',
  'redirect-chain',
  'robots-forbids-us',
  'rate-limited',
  'http-503-everywhere',
  'web-app-everywhere',
  'challenge-page',
  'truncated',
  'not-http',
  'reset-on-connect',
  'tls-not-spoken',
  'tls-expired',
  'tls-old-protocol',
  'connection-refused',
  'dns-nxdomain',
  'dns-servfail',
  'redirected',
];

it('checks hosts that go wrong in every way, without breaking and within its share', async () => {
  const hosts = KINDS.map((kind): HostRow => ({ kind, name: `${kind}.example` }));
  const fleet = await createFleet({ file: { hosts } });
  onTestFinished(() => fleet.close());
  const domains = fleet.hosts.map(({ domain }) => domain);
  expect(await problemsOfChecks(fleet, domains, { atOnce: 8 })).toEqual([]);
}, 60_000);
