import { expect, it } from 'vitest';
import { gatherOwn, hasRoute } from '../../src/check/gather/network.ts';
import { RULES } from '../../src/check/rules.ts';
import { createResolver } from '../../src/http/resolver.ts';
import { check } from '../../src/index.ts';
import { evidenceOf } from './evidence-of.ts';
import { type CheckHostOptions, checkHost, type OperatorHostOptions, startOperatorHost } from './operator-host.ts';

/** Findings that blame somebody, and what is said of the two families and of connecting. */
async function found(given: OperatorHostOptions, options: CheckHostOptions) {
  const host = await startOperatorHost(given);
  const { findings, verdict, cutShort } = await checkHost(host, { rules: RULES, ...options });
  const detailOf = (id: string) => findings.find((finding) => finding.id === id);
  return {
    verdict,
    cutShort,
    blames: findings.filter(({ severity }) => severity === 'fail' || severity === 'warn').map(({ id }) => id),
    alike: detailOf('dns-families-alike'),
    connects: detailOf('tls-connects'),
  };
}

const without6 = async (family: 4 | 6) => family === 4;

it('blames nobody for an IPv6 that this machine does not have', async () => {
  const { alike, blames, verdict } = await found({ overIpv6: 'unrouted' }, { hasRoute: without6 });
  expect(alike).toMatchObject({ severity: 'info', detail: 'This machine has no IPv6; not compared.' });
  expect(blames).toEqual([]);
  expect(verdict).toBe('loops');
});

it('still blames an IPv6 address without a route where this machine has one', async () => {
  const { alike } = await found({ overIpv6: 'unrouted' }, { hasRoute: async () => true });
  expect(alike).toMatchObject({ severity: 'fail', detail: expect.stringContaining('no route to the address') });
});

it('says of a server with IPv6 alone that this machine cannot reach it, and judges nothing of it', async () => {
  const only6 = { ipv4: [], overIpv6: 'unrouted', www: 'absent' } as const;
  const { connects, blames, cutShort } = await found(only6, { hasRoute: without6 });
  expect(connects).toMatchObject({ severity: 'info', detail: expect.stringMatching(/no IPv6.*nothing of the server/) });
  expect(blames).toEqual(['dns-ipv4']);
  expect(cutShort).toBe('this machine has no IPv6, and loops.example has nothing else');
});

it('says that it is offline where it has no route at all', async () => {
  const { connects, blames, cutShort } = await found(
    { overIpv4: 'unrouted', overIpv6: 'unrouted', www: 'absent' },
    { hasRoute: async () => false },
  );
  expect(connects).toMatchObject({ severity: 'info', detail: expect.stringContaining('this machine is offline') });
  expect(blames).toEqual([]);
  expect(cutShort).toContain('this machine is offline');
});

it('blames the server where a closed port, and no missing network, is what stands in the way', async () => {
  const { connects } = await found(
    { overIpv4: 'refused', overIpv6: 'unrouted', www: 'absent' },
    { hasRoute: without6 },
  );
  expect(connects).toMatchObject({
    severity: 'fail',
    detail: expect.stringMatching(/of 93\.184\.215\.14: nothing listens/),
  });
});

it('says that it is offline where its name servers answer nothing', async () => {
  const report = await check('loops.example', {
    domains: { allowSuffixes: ['example'] },
    network: { dnsServers: ['127.0.0.1:9'], dnsTimeoutMs: 200 },
  });
  expect(report.verdict).toBe('unreachable');
  expect(report.findings).toEqual([
    expect.objectContaining({ id: 'dns-resolves', severity: 'info', detail: expect.stringContaining('offline') }),
  ]);
  expect(report.cutShort).toContain('offline');
});

it('does not doubt its name servers for a name that does not exist, nor its routes where it can connect', async () => {
  const asked: string[] = [];
  const resolver = { ...createResolver({ servers: [], timeoutMs: 100 }), answers: async () => asked.push('dns') > 9 };
  const { dns, tls } = evidenceOf();
  const parts = { resolver, hasRoute: async (family: 4 | 6) => asked.push(`route ${family}`) > 9 };
  expect(await gatherOwn(dns, tls, parts)).toEqual({ ipv4: true, ipv6: true, dns: true });
  const gone = { ...dns.ipv4, addresses: [], failure: 'dns-nxdomain' } as const;
  expect(await gatherOwn({ ...dns, ipv4: gone, ipv6: gone }, null, parts)).toMatchObject({ dns: true });
  expect(asked).toEqual([]);
  const silent = { ...gone, failure: 'dns-timeout' } as const;
  expect(await gatherOwn({ ...dns, ipv4: silent, ipv6: silent }, null, parts)).toMatchObject({ dns: false });
});

it('answers whether there is a route, one way or the other', async () => {
  expect([true, false]).toContain(await hasRoute(4));
  expect([true, false]).toContain(await hasRoute(6));
});
