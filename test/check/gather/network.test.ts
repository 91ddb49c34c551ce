import { describe, expect, it } from 'vitest';
import { gatherDns, gatherLocalNetwork, hasRoute } from '../../../src/check/gather/network.ts';
import { RULES } from '../../../src/check/rules.ts';
import { createAddressGuard } from '../../../src/http/address-guard.ts';
import { createDnsQueries } from '../../../src/http/dns-queries.ts';
import { createResolver } from '../../../src/http/resolver.ts';
import { check } from '../../../src/index.ts';
import { evidenceOf } from '../evidence-of.ts';
import { type NameRecords, startOperatorDnsForTest } from '../operator-dns.ts';
import {
  type CheckHostOptions,
  checkHost,
  gatherFrom,
  type HostBehaviour,
  IPV4,
  IPV6,
  type OperatorHostOptions,
  startOperatorHost,
} from '../operator-host.ts';

const NONE: NameRecords = { a: [], aaaa: [], caa: [] };

/** Gathers the DNS evidence of a name. Only the names in `records` exist. */
async function gatherDnsOf(name: string, records: Record<string, Partial<NameRecords>>, timeoutMs = 5_000) {
  const dns = await startOperatorDnsForTest((queried) =>
    records[queried] === undefined ? undefined : { ...NONE, ...records[queried] },
  );
  const dnsQueries = createDnsQueries({ servers: [dns.address], timeoutMs });
  return { dns, evidence: await gatherDns(name, dnsQueries, createAddressGuard([])) };
}

const issueRecord = (value: string) => [{ tag: 'issue', value }];

describe('the DNS evidence', () => {
  it('has the addresses and the failure of each family', async () => {
    const { evidence } = await gatherDnsOf('loops.example', {
      'loops.example': { a: ['93.184.215.14'], aaaa: 'servfail' },
    });
    expect(evidence.ipv4).toEqual({ addresses: ['93.184.215.14'], failure: null, forbidden: [] });
    expect(evidence.ipv6).toEqual({ addresses: [], failure: 'dns-servfail', forbidden: [] });
  });

  it.each([
    ['nxdomain', 'dns-nxdomain'],
    ['servfail', 'dns-servfail'],
    ['refused', 'dns-refused'],
    ['silent', 'dns-timeout'],
  ] as const)('reports the DNS fault %s as the failure %s', async (fault, failure) => {
    const records = { 'loops.example': { a: fault, aaaa: fault, caa: fault } };
    const { evidence } = await gatherDnsOf('loops.example', records, fault === 'silent' ? 100 : 5_000);
    expect(evidence).toMatchObject({ ipv4: { failure }, ipv6: { failure } });
  });

  it('has the non-public addresses and their ranges', async () => {
    const { evidence } = await gatherDnsOf('loops.example', {
      'loops.example': { a: ['192.168.0.7', '93.184.215.14'], aaaa: ['fd00::7'] },
    });
    expect(evidence.ipv4.forbidden).toEqual([
      { address: '192.168.0.7', what: expect.any(String), source: expect.stringContaining('RFC 1918') },
    ]);
    expect(evidence.ipv6.forbidden).toMatchObject([{ address: 'fd00::7' }]);
  });
});

describe('the CAA records of a name (RFC 8659)', () => {
  it('are its own, with their critical flag', async () => {
    const { evidence } = await gatherDnsOf('clips.loops.example', {
      'clips.loops.example': { caa: [{ flags: 128, tag: 'issue', value: 'own.example' }] },
      'loops.example': { caa: issueRecord('above.example') },
    });
    expect(evidence.caa).toEqual({
      name: 'clips.loops.example',
      records: [{ critical: true, tag: 'issue', value: 'own.example' }],
    });
  });

  it.each([['has none'], ['does not exist']])('are those of the nearest parent if the name %s', async (how) => {
    const { evidence, dns } = await gatherDnsOf('a.b.loops.example', {
      ...(how === 'has none' ? { 'a.b.loops.example': {}, 'b.loops.example': {} } : {}),
      'loops.example': { caa: [...issueRecord('above.example'), { tag: 'iodef', value: 'mailto:a@b.example' }] },
      example: { caa: issueRecord('top.example') },
    });
    expect(evidence.caa).toEqual({
      name: 'loops.example',
      records: [
        { critical: false, tag: 'issue', value: 'above.example' },
        { critical: false, tag: 'iodef', value: 'mailto:a@b.example' },
      ],
    });
    expect(dns.queries).not.toContain('CAA example');
  });

  it('are empty when no parent has any', async () => {
    const { evidence, dns } = await gatherDnsOf('loops.example', { 'loops.example': {}, example: {} });
    expect(evidence.caa).toEqual({ name: 'loops.example', records: [] });
    expect(dns.queries.filter((query) => query.startsWith('CAA'))).toEqual(['CAA loops.example', 'CAA example']);
  });

  it('are unknown when a query fails', async () => {
    const { evidence } = await gatherDnsOf('loops.example', {
      'loops.example': { caa: 'servfail' },
      example: { caa: issueRecord('top.example') },
    });
    expect(evidence.caa).toBeNull();
  });
});

const DAY_MS = 86_400_000;
const VALID: HostBehaviour['certificate'] = {
  names: ['loops.example', 'www.loops.example'],
  fromDay: -10,
  toDay: 80,
  signer: 'trusted',
  sendsIntermediate: true,
};

describe('the handshakes of a check', () => {
  it('have the negotiated protocols of each address family', async () => {
    const host = await startOperatorHost();
    const { tls } = await gatherFrom(host, { only: ['tls'] });
    expect(tls?.handshakes).toMatchObject([
      { address: IPV4, family: 4, failure: null, protocol: 'TLSv1.3', alpn: 'h2', chainLength: 2 },
      { address: IPV6, family: 6, failure: null, protocol: 'TLSv1.3', alpn: 'h2', chainLength: 2 },
    ]);
    expect(tls?.speaksOldTls).toBe(false);
  });

  it('skip a family without addresses', async () => {
    const host = await startOperatorHost({ ipv6: [] });
    const { tls } = await gatherFrom(host, { only: ['tls'] });
    expect(tls?.handshakes.map(({ family }) => family)).toEqual([4]);
  });

  it('have the certificate', async () => {
    const host = await startOperatorHost({ certificate: { ...VALID, toDay: 5 } });
    const { tls } = await gatherFrom(host, { only: ['tls'] });
    const { certificate } = tls?.handshakes[0] ?? {};
    expect(certificate).toMatchObject({
      names: ['loops.example', 'www.loops.example'],
      issuer: 'Operator test intermediate',
      issuerUrl: 'http://authority.example/intermediate.cer',
      isSelfSigned: false,
    });
    expect(((certificate?.validTo ?? 0) - Date.now()) / DAY_MS).toBeCloseTo(5, 1);
  });

  it.each<[string, Partial<HostBehaviour['certificate']>, object]>([
    ['expired', { toDay: -1 }, { failure: 'tls-expired', detail: expect.stringContaining('expired on') }],
    ['not valid yet', { fromDay: 3 }, { failure: 'tls-expired', detail: expect.stringContaining('is valid from') }],
    [
      'for another name',
      { names: ['other.example'] },
      { failure: 'tls-wrong-name', detail: 'the certificate is for other.example' },
    ],
    ['from an unknown authority', { signer: 'unknown' }, { failure: 'tls-untrusted', chainLength: 1 }],
    ['without its intermediate', { sendsIntermediate: false }, { failure: 'tls-untrusted', chainLength: 1 }],
    ['self-signed', { signer: 'itself' }, { failure: expect.any(String), certificate: { isSelfSigned: true } }],
  ])('continue with a certificate that is %s, to report it', async (_what, changes, expected) => {
    const host = await startOperatorHost({ certificate: { ...VALID, ...changes } });
    const { tls, visit, answers } = await gatherFrom(host);
    expect(tls?.handshakes[0]).toMatchObject({ protocol: 'TLSv1.3', certificate: expect.anything(), ...expected });
    expect(visit.verdict).toBe('unreachable');
    expect(answers.config).toBeNull();
    expect(answers['config-http']?.status).toBe(301);
  });

  it('report that HTTP/2 is not offered', async () => {
    const host = await startOperatorHost({ http2: false });
    const { tls } = await gatherFrom(host, { only: ['tls'] });
    expect(tls?.handshakes[0]?.alpn).not.toBe('h2');
  });

  it('report old protocols in addition to new ones', async () => {
    const host = await startOperatorHost({ tls: { minVersion: 'TLSv1', maxVersion: 'TLSv1.3' } });
    const { tls } = await gatherFrom(host, { only: ['tls'] });
    expect(tls).toMatchObject({ speaksOldTls: true, handshakes: [{ protocol: 'TLSv1.3' }, { protocol: 'TLSv1.3' }] });
  });

  it.each(['TLSv1', 'TLSv1.1'] as const)('report a server that speaks only %s', async (version) => {
    const host = await startOperatorHost({ tls: { minVersion: version, maxVersion: version } });
    const { tls, visit } = await gatherFrom(host, { only: ['tls'] });
    expect(visit.reason).toBe('tls-failed');
    expect(tls).toMatchObject({ speaksOldTls: true, handshakes: [{ failure: 'tls-failed', protocol: null }, {}] });
  });

  it.each([
    ['refused', 'connect-refused'],
    ['reset', 'connection-reset'],
    ['silent', 'tls-timeout'],
  ] as const)('report a server whose connections are %s', async (reception, failure) => {
    const host = await startOperatorHost({ overIpv4: reception, overIpv6: reception });
    const { tls } = await gatherFrom(host, {
      only: ['tls'],
      timeouts: reception === 'silent' ? { connectMs: 100, responseMs: 100, visitMs: 300 } : {},
    });
    expect(tls?.handshakes).toMatchObject([{ failure, certificate: null, chainLength: null }, { failure }]);
    expect(tls?.speaksOldTls).not.toBe(true);
  });
});

/** Checks a host. Returns the ids of failures and warnings, and the findings on address families and connections. */
async function checkFamilies(hostOptions: OperatorHostOptions, options: CheckHostOptions) {
  const host = await startOperatorHost(hostOptions);
  const { findings, verdict, cutShort } = await checkHost(host, { rules: RULES, ...options });
  const findingOf = (id: string) => findings.find((finding) => finding.id === id);
  return {
    verdict,
    cutShort,
    problems: findings.filter(({ severity }) => severity === 'fail' || severity === 'warn').map(({ id }) => id),
    families: findingOf('dns-families-alike'),
    connects: findingOf('tls-connects'),
  };
}

const hasOnlyIpv4Route = async (family: 4 | 6) => family === 4;

it('a check reports no problem when this machine has no IPv6', async () => {
  const { families, problems, verdict } = await checkFamilies({ overIpv6: 'unrouted' }, { hasRoute: hasOnlyIpv4Route });
  expect(families).toMatchObject({ severity: 'info', detail: 'This machine has no IPv6; not compared.' });
  expect(problems).toEqual([]);
  expect(verdict).toBe('loops');
});

it('a check reports an unrouted IPv6 address as a failure when this machine has IPv6', async () => {
  const { families } = await checkFamilies({ overIpv6: 'unrouted' }, { hasRoute: async () => true });
  expect(families).toMatchObject({ severity: 'fail', detail: expect.stringContaining('no route to the address') });
});

it('a check reports that this machine cannot reach an IPv6-only server, and judges only its DNS', async () => {
  const ipv6Only = { ipv4: [], overIpv6: 'unrouted', www: 'absent' } as const;
  const { connects, problems, cutShort } = await checkFamilies(ipv6Only, { hasRoute: hasOnlyIpv4Route });
  expect(connects).toMatchObject({
    severity: 'info',
    detail: expect.stringMatching(/no IPv6.*does not concern the server/),
  });
  expect(problems).toEqual(['dns-ipv4']);
  expect(cutShort).toBe('this machine has no IPv6, and loops.example has no other addresses');
});

it('a check reports that this machine is offline when it has no route at all', async () => {
  const { connects, problems, cutShort } = await checkFamilies(
    { overIpv4: 'unrouted', overIpv6: 'unrouted', www: 'absent' },
    { hasRoute: async () => false },
  );
  expect(connects).toMatchObject({ severity: 'info', detail: expect.stringContaining('this machine is offline') });
  expect(problems).toEqual([]);
  expect(cutShort).toContain('this machine is offline');
});

it('a check reports a closed port as a failure of the server even when this machine has no IPv6', async () => {
  const { connects } = await checkFamilies(
    { overIpv4: 'refused', overIpv6: 'unrouted', www: 'absent' },
    { hasRoute: hasOnlyIpv4Route },
  );
  expect(connects).toMatchObject({
    severity: 'fail',
    detail: expect.stringMatching(/of 93\.184\.215\.14: nothing listens/),
  });
});

it('a check reports that this machine is offline when its DNS servers do not answer', async () => {
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

it('a check tests neither the DNS servers after an answer nor the routes after a successful connection', async () => {
  const probes: string[] = [];
  const probeFails = async (probe: string) => {
    probes.push(probe);
    return false;
  };
  const resolver = {
    ...createResolver({ servers: [], timeoutMs: 100 }),
    isAnswering: () => probeFails('dns'),
    canResolve: () => probeFails('names'),
  };
  const { dns, tls } = evidenceOf();
  const parts = { resolver, hasRoute: (family: 4 | 6) => probeFails(`route ${family}`) };
  expect(await gatherLocalNetwork(dns, tls, parts)).toEqual({ ipv4: true, ipv6: true, dns: true });
  const isDnsWorking = async (failure: 'dns-no-address' | 'dns-nxdomain' | 'dns-timeout') => {
    const answer = { ...dns.ipv4, addresses: [], failure };
    return (await gatherLocalNetwork({ ...dns, ipv4: answer, ipv6: answer }, null, parts)).dns;
  };
  expect(await isDnsWorking('dns-no-address')).toBe(true);
  expect(probes).toEqual([]);
  expect(await isDnsWorking('dns-timeout')).toBe(false);
  expect(await isDnsWorking('dns-nxdomain')).toBe(false);
  expect(probes).toEqual(['dns', 'names']);
});

it('hasRoute answers for each address family, whatever the network of this machine', async () => {
  expect(await hasRoute(4)).toBeTypeOf('boolean');
  expect(await hasRoute(6)).toBeTypeOf('boolean');
});
