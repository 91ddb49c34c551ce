import { describe, expect, it } from 'vitest';
import type { DnsEvidence } from '../../../src/check/evidence.ts';
import {
  dnsCaa,
  dnsFamiliesAlike,
  dnsIpv4,
  dnsIpv6,
  dnsPublic,
  dnsResolves,
  dnsRules,
} from '../../../src/check/rules/dns.ts';
import { itFindsAndCures } from '../broken-and-cured.ts';
import { evidenceOf, exchangeOf, healthyAnswer, liveApp, liveConfig, noAnswers } from '../evidence-of.ts';

const caaOf = (...records: [tag: string, value: string, critical?: boolean][]) => ({
  name: 'loops.example',
  records: records.map(([tag, value, critical = false]) => ({ tag, value, critical })),
});
const withDns = (changes: Partial<DnsEvidence>) => evidenceOf({ dns: { ...evidenceOf().dns, ...changes } });
const noAddresses = { addresses: [], forbidden: [] };

describe('each rule on DNS reports its defects, and passes after the cure is applied', () => {
  itFindsAndCures(dnsRules, [
    {
      title: 'reports a name that does not exist',
      id: 'dns-resolves',
      severity: 'fail',
      detail: /loops\.example does not exist/,
      cure: /whether the domain registration has expired/,
      break: ({ behaviour }) => Object.assign(behaviour, { ipv4: 'nxdomain', ipv6: 'nxdomain' }),
    },
    {
      title: 'reports a name without addresses',
      id: 'dns-resolves',
      severity: 'fail',
      detail: /exists in the DNS, but has neither an A nor an AAAA/,
      cure: / {4}loops\.example\. {2}3600 {2}IN {2}A/,
      break: ({ behaviour }) => Object.assign(behaviour, { ipv4: [], ipv6: [] }),
    },
    {
      title: 'reports name servers that fail, and DNSSEC as a possible cause',
      id: 'dns-resolves',
      severity: 'fail',
      detail: /SERVFAIL/,
      cure: /DNSSEC.*dig \+cd loops\.example/s,
      break: ({ behaviour }) => Object.assign(behaviour, { ipv4: 'servfail', ipv6: 'servfail' }),
    },
    {
      title: 'reports name servers that refuse',
      id: 'dns-resolves',
      severity: 'fail',
      detail: /refuse to answer for loops\.example/,
      cure: /do not serve its zone/,
      break: ({ behaviour }) => Object.assign(behaviour, { ipv4: 'refused', ipv6: 'refused' }),
    },
    {
      title: 'reports name servers that do not answer',
      id: 'dns-resolves',
      severity: 'fail',
      detail: /do not answer in time/,
      cure: /port 53/,
      break: ({ behaviour }) => Object.assign(behaviour, { ipv4: 'silent', ipv6: 'silent' }),
    },
    {
      title: 'reports a private address and the use of its block',
      id: 'dns-public',
      severity: 'fail',
      detail: /Not every address is public: 192\.168\.1\.10 \(private use, RFC 1918\)/,
      cure: / {4}loops\.example\. {2}IN {2}A {2}192\.168\.1\.10/,
      break: ({ behaviour }) => Object.assign(behaviour, { ipv4: ['192.168.1.10'] }),
    },
    {
      title: 'reports a host with IPv6 only',
      id: 'dns-ipv4',
      severity: 'warn',
      detail: /has only IPv6 addresses/,
      cure: /Add an A record/,
      break: ({ behaviour }) => Object.assign(behaviour, { ipv4: [] }),
    },
    {
      title: 'notes a host with IPv4 only',
      id: 'dns-ipv6',
      severity: 'info',
      detail: /no AAAA record/,
      break: ({ behaviour }) => Object.assign(behaviour, { ipv6: [] }),
    },
    {
      title: 'reports name servers that fail on AAAA queries',
      id: 'dns-ipv6',
      severity: 'warn',
      detail: /lookup of the AAAA record of loops\.example fails \(the name's DNS servers fail\)/,
      cure: /dig \+trace AAAA/,
      break: ({ behaviour }) => Object.assign(behaviour, { ipv6: 'servfail' }),
    },
    {
      title: 'reports an address family on which nothing listens',
      id: 'dns-families-alike',
      severity: 'fail',
      detail: /answers over IPv4 .*, but not over IPv6 .*: nothing listens/,
      cure: /listen \[::\]:443 ssl;.*IN {2}AAAA/s,
      break: ({ behaviour }) => Object.assign(behaviour, { overIpv6: 'refused' }),
    },
    {
      title: 'reports an address family that leads to another server',
      id: 'dns-families-alike',
      severity: 'fail',
      detail: /two servers, or two sites/,
      cure: /one `server` block/,
      break: ({ behaviour }) => {
        behaviour.answer = (request, response, family) => {
          if (family === 4 || request.url !== '/api/v1/config') return false;
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end(JSON.stringify(liveConfig({ app: liveApp({ url: 'https://other.example' }) })));
          return true;
        };
      },
    },
    {
      title: 'reports an address family that answers with another status',
      id: 'dns-families-alike',
      severity: 'fail',
      detail: /404 Not Found.* over IPv4 .* 200 OK .* over IPv6/,
      break: ({ behaviour }) => {
        behaviour.answer = (request, response, family) => {
          if (family === 6 || request.url !== '/api/v1/config') return false;
          response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
          return true;
        };
      },
    },
    {
      title: 'notes that any certificate authority may issue certificates',
      id: 'dns-caa',
      severity: 'info',
      detail: /no CAA records/,
      break: ({ behaviour }) => Object.assign(behaviour, { caa: [] }),
    },
    {
      title: 'reports an unknown critical property of CAA',
      id: 'dns-caa',
      severity: 'warn',
      detail: /unknown critical property, tbs/,
      break: ({ behaviour }) => Object.assign(behaviour, { caa: [{ flags: 128, tag: 'tbs', value: 'Unknown' }] }),
    },
  ]);
});

describe('dns-resolves', () => {
  it('reports that the name does not exist when either query says so', () => {
    const judged = dnsResolves.judge(
      withDns({
        ipv4: { ...noAddresses, failure: 'dns-no-address' },
        ipv6: { ...noAddresses, failure: 'dns-nxdomain' },
      }),
    );
    expect(judged).toMatchObject({ severity: 'fail', detail: 'The name loops.example does not exist in the DNS.' });
  });
});

describe('dns-public', () => {
  it('reports nothing on a name without addresses, and has a cure for CGNAT', () => {
    const dead = { ...noAddresses, failure: 'dns-nxdomain' } as const;
    expect(dnsPublic.judge(withDns({ ipv4: dead, ipv6: dead }))).toBeNull();
    const shared = { address: '100.64.0.9', what: 'shared by carriers', source: 'RFC 6598' };
    const judged = dnsPublic.judge(
      withDns({ ipv4: { addresses: ['100.64.0.9'], failure: null, forbidden: [shared] } }),
    );
    expect(judged).toMatchObject({ severity: 'fail', cure: expect.stringContaining('tunnel') });
  });
});

describe('dns-ipv4 and dns-ipv6', () => {
  it('report nothing when there is no address at all, which another rule reports', () => {
    const dead = { ...noAddresses, failure: 'dns-nxdomain' } as const;
    expect([dnsIpv4, dnsIpv6].map((rule) => rule.judge(withDns({ ipv4: dead, ipv6: dead })))).toEqual([null, null]);
  });

  it('warn when the A query fails while the AAAA query is answered', () => {
    const judged = dnsIpv4.judge(withDns({ ipv4: { ...noAddresses, failure: 'dns-timeout' } }));
    expect(judged).toMatchObject({
      severity: 'warn',
      detail: expect.stringContaining('servers do not answer in time'),
    });
  });
});

describe('dns-families-alike', () => {
  const withIpv6Handshake = (changes: object) => {
    const { tls } = evidenceOf();
    const [v4, v6] = tls?.handshakes ?? [];
    if (v4 === undefined || v6 === undefined) throw new Error('Both families are expected.');
    return evidenceOf({ tls: { speaksOldTls: false, handshakes: [v4, { ...v6, ...changes }] } });
  };

  it('reports a wrong certificate of one family as such, not as a closed port', () => {
    const judged = dnsFamiliesAlike.judge(
      withIpv6Handshake({ failure: 'tls-wrong-name', detail: 'the certificate is for panel.example' }),
    );
    expect(judged).toMatchObject({
      severity: 'fail',
      detail: expect.stringContaining('the certificate is for panel.example'),
      cure: expect.stringContaining('not the same machine'),
    });
  });

  it('reports nothing when both families are broken, or there is only one', () => {
    const { tls } = evidenceOf();
    const handshakes = (tls?.handshakes ?? []).map((each) => ({ ...each, failure: 'tls-expired' as const }));
    expect(dnsFamiliesAlike.judge(evidenceOf({ tls: { handshakes, speaksOldTls: null } }))).toBeNull();
    const [v4] = tls?.handshakes ?? [];
    expect(dnsFamiliesAlike.judge(evidenceOf({ tls: { handshakes: v4 ? [v4] : [], speaksOldTls: null } }))).toBeNull();
    expect(dnsFamiliesAlike.judge(evidenceOf({ tls: null, answers: noAnswers() }))).toBeNull();
  });

  it('reports nothing when neither family answers a request', () => {
    const answers = {
      'config-ipv4': exchangeOf({ failure: 'response-timeout' }),
      'config-ipv6': exchangeOf({ failure: 'connection-reset' }),
    };
    expect(dnsFamiliesAlike.judge(evidenceOf({ answers }))).toBeNull();
  });

  it('warns of settings that differ behind the same name, and does not compare a 429', () => {
    const json = liveConfig({ registration: false });
    const answers = { 'config-ipv6': healthyAnswer('config-ipv6', { json }) };
    expect(dnsFamiliesAlike.judge(evidenceOf({ answers }))).toMatchObject({
      severity: 'warn',
      detail: expect.stringContaining('different values of registration'),
    });
    const limited = { 'config-ipv6': exchangeOf({ status: 429, json: {} }) };
    expect(dnsFamiliesAlike.judge(evidenceOf({ answers: limited }))).toMatchObject({ severity: 'info' });
  });
});

describe('dns-caa', () => {
  it.each([
    [
      'another authority',
      caaOf(['issue', 'digicert.com']),
      'warn',
      /allow digicert\.com, but the certificate is signed by/,
    ],
    ['nobody', caaOf(['issue', ';']), 'warn', /allow nobody/],
    [
      'the authority with parameters',
      caaOf(['ISSUE', 'letsencrypt.org; validationmethods=http-01']),
      'pass',
      /allow letsencrypt\.org/,
    ],
    [
      'every authority and only name a contact',
      caaOf(['iodef', 'mailto:a@b.example']),
      'pass',
      /restrict no authority/,
    ],
    [
      'nobody for wildcards, for a certificate without a wildcard',
      caaOf(['issue', 'letsencrypt.org'], ['issuewild', ';']),
      'pass',
      /signed by/,
    ],
  ] as const)('judges records that allow %s', (_title, caa, severity, detail) => {
    expect(dnsCaa.judge(withDns({ caa }))).toMatchObject({ severity, detail: expect.stringMatching(detail) });
  });

  it('has a cure with the record that allows the renewal of the certificate', () => {
    const judged = dnsCaa.judge(withDns({ caa: caaOf(['issue', 'digicert.com']) }));
    expect(judged).toMatchObject({ cure: expect.stringContaining('IN  CAA  0 issue "letsencrypt.org"') });
  });

  it('notes a query that was not answered, and reports nothing for a name without addresses', () => {
    expect(dnsCaa.judge(withDns({ caa: null }))).toMatchObject({ severity: 'info' });
    const dead = { ...noAddresses, failure: 'dns-nxdomain' } as const;
    expect(dnsCaa.judge(withDns({ ipv4: dead, ipv6: dead }))).toBeNull();
  });
});
