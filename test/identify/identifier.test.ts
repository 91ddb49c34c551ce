import { Resolver } from 'node:dns/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createFleet, type Fleet } from '../../src/reference/index.ts';
import { hostOfKind, identifierFor, quick, stalling, visitWith } from './fleet-identifier.ts';
import { domainOf } from './scripted-visit.ts';

it('the identifier measures a visit from its first request, without the wait between resolving and identifying', async () => {
  await using fleet = await createFleet({ hosts: 1, log: false, mix: { loops: 1 } });
  const time = { ms: Date.UTC(2026, 0, 1) };
  const identifier = identifierFor(fleet, { clock: () => time.ms, now: () => time.ms });
  const resolved = await identifier.resolve(domainOf(fleet.hosts[0]?.domain ?? ''));
  if ('verdict' in resolved) throw new Error('The name did not resolve.');
  time.ms += 1_500;
  const visit = await identifier.identify(resolved);
  expect(visit).toMatchObject({ verdict: 'loops', at: time.ms, durationMs: 0 });
});

describe('in a fleet with one host of each kind that does not stall,', () => {
  let fleet: Fleet;
  let identifier: ReturnType<typeof identifierFor>;
  beforeAll(async () => {
    fleet = await createFleet({ hosts: quick.length });
    identifier = identifierFor(fleet);
  });
  afterAll(() => fleet.close());

  it.for([
    ['loops', ['/robots.txt', '/api/v1/config', '/.well-known/nodeinfo', '/nodeinfo/2.0']],
    ['loops-live', ['/robots.txt', '/api/v1/config', '/.well-known/nodeinfo', '/nodeinfo/2.0']],
    ['loops-federation-off', ['/robots.txt', '/api/v1/config']],
    ['other-by-config', ['/robots.txt', '/api/v1/config']],
    ['misskey', ['/robots.txt', '/api/v1/config', '/.well-known/nodeinfo', '/nodeinfo/2.0']],
    ['only-2.1', ['/robots.txt', '/api/v1/config', '/.well-known/nodeinfo']],
    ['href-double-slash', ['/robots.txt', '/api/v1/config', '/.well-known/nodeinfo', '//nodeinfo/2.0']],
    ['rate-limited', ['/robots.txt', '/api/v1/config']],
    ['robots-500', ['/robots.txt', '/robots.txt']],
  ] as const)('a %s host receives exactly the expected requests, in order', async ([kind, paths]) => {
    const host = hostOfKind(fleet, kind);
    const isToHost = ({ domain }: { domain: string }) => domain === host.domain;
    const before = fleet.requests.recent.filter(isToHost).length;
    await visitWith(identifier, host);
    const received = fleet.requests.recent.filter(isToHost).slice(before);
    expect(received.map(({ path }) => path)).toEqual(paths);
    expect(new Set(received.map(({ userAgent }) => userAgent))).toEqual(
      new Set(['Loopscout/0.0.0 (+https://loopscout.example)']),
    );
  });

  it('a Loops host is identified by NodeInfo in the robots mode strict when robots.txt forbids config', async () => {
    const visit = await visitWith(identifierFor(fleet, { robots: 'strict' }), hostOfKind(fleet, 'loops-live'));
    expect(visit).toMatchObject({ verdict: 'loops', via: 'nodeinfo' });
    expect(visit.steps.map(({ probe }) => probe)).toEqual(['dns', 'robots', 'config', 'discovery', 'nodeinfo']);
  });

  it('a host receives no request when its address is forbidden', async () => {
    const guarded = identifierFor(fleet, { allow: [] });
    fleet.requests.clear();
    for (const kind of ['loops', 'mastodon', 'redirected']) {
      const visit = await visitWith(guarded, hostOfKind(fleet, kind));
      expect(visit).toMatchObject({ verdict: 'declined', reason: 'forbidden-address' });
      expect(visit.steps).toEqual([
        expect.objectContaining({
          probe: 'dns',
          failure: 'forbidden-address',
          note: expect.stringContaining('127.0.0.1'),
        }),
      ]);
    }
    expect(fleet.requests.total).toBe(0);
  });

  it('a host is resolved to its addresses before it is identified', async () => {
    const resolved = await identifier.resolve(domainOf(hostOfKind(fleet, 'loops').domain));
    expect(resolved).toMatchObject({ addresses: [{ address: '127.0.0.1', family: 4 }] });
  });
});

describe('cancelAll', () => {
  it('ends running visits at once; later visits work', async () => {
    await using fleet = await createFleet({ hosts: 2, mix: { 'stalls-on-request': 1, loops: 1 } });
    const identifier = identifierFor(fleet, { responseMs: 600_000, visitMs: 600_000 });
    const visit = visitWith(identifier, hostOfKind(fleet, 'stalls-on-request'));
    await expect.poll(() => fleet.requests.total).toBe(2);
    identifier.cancelAll();
    expect((await visit).verdict).not.toBe('loops');
    expect((await visitWith(identifier, hostOfKind(fleet, 'loops'))).verdict).toBe('loops');
  });

  it('does not wait for a DNS server that never responds', async () => {
    const silent = stalling.find(({ dns }) => dns === 'silent');
    if (silent === undefined) throw new Error('No kind has a silent DNS server.');
    await using fleet = await createFleet({ hosts: 2, mix: { [silent.name]: 1, loops: 1 } });
    const identifier = identifierFor(fleet, { dnsTimeoutMs: 600_000 });
    const query = vi.spyOn(Resolver.prototype, 'resolve4');
    onTestFinished(() => query.mockRestore());
    const visit = visitWith(identifier, hostOfKind(fleet, silent.name));
    await expect.poll(() => query.mock.calls).toHaveLength(1);
    identifier.cancelAll();
    expect((await visit).reason).toBe('dns-timeout');
    expect((await visitWith(identifier, hostOfKind(fleet, 'loops'))).verdict).toBe('loops');
  });
});
