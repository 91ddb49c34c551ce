import { describe, expect, it } from 'vitest';
import type { Handshake, TlsEvidence } from '../../../src/check/evidence.ts';
import { tlsAlpn, tlsConnects, tlsExpiry, tlsProtocol, tlsRules } from '../../../src/check/rules/tls.ts';
import { itFindsAndCures } from '../broken-and-cured.ts';
import { CHECKED_AT, DAY_MS, evidenceOf } from '../evidence-of.ts';

/** Evidence in which both handshakes have the same changes. */
const withTls = (changes: Partial<Handshake>, tlsChanges: Partial<TlsEvidence> = {}) => {
  const handshakes = (evidenceOf().tls?.handshakes ?? []).map((each) => ({ ...each, ...changes }));
  return evidenceOf({ tls: { speaksOldTls: false, ...tlsChanges, handshakes } });
};
/** A certificate valid between two days, counted from the time of the check. */
const certificateOf = (fromDay: number, toDay: number) => ({
  names: ['loops.example'],
  validFrom: CHECKED_AT + fromDay * DAY_MS,
  validTo: CHECKED_AT + toDay * DAY_MS,
  issuer: "Let's Encrypt",
  issuerUrl: null,
  isSelfSigned: false,
});
/** What a host sends, for the tests over sockets. */
const validCertificate = {
  names: ['loops.example', 'www.loops.example'],
  fromDay: -10,
  toDay: 80,
  signer: 'trusted',
  sendsIntermediate: true,
} as const;

describe('the rules of TLS report each defect, and pass after its cure is applied', () => {
  itFindsAndCures(tlsRules, [
    {
      title: 'reports a closed port',
      id: 'tls-connects',
      severity: 'fail',
      detail: /port 443 of .*: nothing listens/,
      cure: /ss -tlnp \| grep ':443 '/,
      break: ({ behaviour }) => Object.assign(behaviour, { overIpv4: 'refused', overIpv6: 'refused' }),
    },
    {
      title: 'reports a connection that is reset',
      id: 'tls-connects',
      severity: 'fail',
      detail: /closed before the answer was complete/,
      cure: /openssl s_client -connect loops\.example:443/,
      break: ({ behaviour }) => Object.assign(behaviour, { overIpv4: 'reset', overIpv6: 'reset' }),
    },
    {
      title: 'reports a self-signed certificate',
      id: 'tls-trusted',
      severity: 'fail',
      detail: /self-signed/,
      cure: /certbot --nginx -d loops\.example/,
      break: ({ behaviour }) => Object.assign(behaviour, { certificate: { ...validCertificate, signer: 'itself' } }),
    },
    {
      title: 'reports an unknown certificate authority',
      id: 'tls-trusted',
      severity: 'fail',
      detail: /signed by "An unknown authority", which is not among the authorities/,
      cure: /public authority/,
      break: ({ behaviour }) => Object.assign(behaviour, { certificate: { ...validCertificate, signer: 'unknown' } }),
    },
    {
      title: 'reports a missing intermediate certificate, and says that browsers may not show the problem',
      id: 'tls-chain',
      severity: 'fail',
      detail:
        /only its own certificate, without the certificate of "Operator test intermediate".*Browsers may still work/,
      cure: /fullchain\.pem/,
      break: ({ behaviour }) =>
        Object.assign(behaviour, { certificate: { ...validCertificate, sendsIntermediate: false } }),
    },
    {
      title: 'reports the names in the certificate of another host',
      id: 'tls-names',
      severity: 'fail',
      detail: /for other\.example, not for loops\.example/,
      cure: /server_name loops\.example;/,
      break: ({ behaviour }) =>
        Object.assign(behaviour, { certificate: { ...validCertificate, names: ['other.example'] } }),
    },
    {
      title: 'reports the expiry date of an expired certificate',
      id: 'tls-expiry',
      severity: 'fail',
      detail: /expired on \d{4}-\d\d-\d\d/,
      cure: /certbot renew/,
      break: ({ behaviour }) =>
        Object.assign(behaviour, { certificate: { ...validCertificate, fromDay: -90, toDay: -1 } }),
    },
    {
      title: 'reports the first valid day of a certificate that is not valid yet',
      id: 'tls-expiry',
      severity: 'fail',
      detail: /not valid before \d{4}-\d\d-\d\d \d\d:\d\d UTC, and the clock of this machine says \d{4}-/,
      cure: /clock/,
      break: ({ behaviour }) => Object.assign(behaviour, { certificate: { ...validCertificate, fromDay: 5 } }),
    },
    {
      title: 'warns of a certificate that expires within two weeks',
      id: 'tls-expiry',
      severity: 'warn',
      detail: /for (?:9|10) more days/,
      cure: /systemctl reload nginx/,
      break: ({ behaviour }) =>
        Object.assign(behaviour, { certificate: { ...validCertificate, fromDay: -80, toDay: 10 } }),
    },
    {
      title: 'reports a server that speaks only old protocols',
      id: 'tls-protocol',
      severity: 'fail',
      detail: /only TLS 1\.1 or older/,
      cure: /ssl_protocols TLSv1\.2 TLSv1\.3;/,
      break: ({ behaviour }) => Object.assign(behaviour, { tls: { minVersion: 'TLSv1', maxVersion: 'TLSv1.1' } }),
    },
    {
      title: 'warns of a server that speaks old protocols too',
      id: 'tls-protocol',
      severity: 'warn',
      detail: /TLSv1\.3, and also TLS 1\.1 or older/,
      break: ({ behaviour }) => Object.assign(behaviour, { tls: { minVersion: 'TLSv1', maxVersion: 'TLSv1.3' } }),
    },
    {
      title: 'notes a server without TLS 1.3',
      id: 'tls-protocol',
      severity: 'info',
      detail: /TLS 1\.2 but not 1\.3/,
      break: ({ behaviour }) => Object.assign(behaviour, { tls: { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' } }),
    },
  ]);
});

describe('tls-connects', () => {
  it.each([
    ['connect-timeout', 'ufw allow 443/tcp'],
    ['no-route', 'There is no route to the address'],
    ['tls-timeout', 'workers'],
    ['tls-failed', 'listen 443 ssl;'],
  ] as const)('has a cure of its own for %s', (failure, cure) => {
    const broken = { failure, certificate: null, protocol: null, alpn: null, chainLength: null };
    expect(tlsConnects.judge(withTls(broken))).toMatchObject({ severity: 'fail', cure: expect.stringContaining(cure) });
  });

  it('leaves old protocols and certificates to their rules, and reports nothing without an address', () => {
    const broken = { failure: 'tls-failed', certificate: null, protocol: null } as const;
    expect(tlsConnects.judge(withTls(broken, { speaksOldTls: true }))).toBeNull();
    expect(tlsConnects.judge(withTls({ failure: 'tls-expired' }))).toBeNull();
    expect(tlsRules.map((rule) => rule.judge(evidenceOf({ tls: null })))).toEqual(tlsRules.map(() => null));
  });
});

describe('tls-expiry', () => {
  it('warns of a one-week certificate only when less than a third of its validity is left', () => {
    expect(tlsExpiry.judge(withTls({ certificate: certificateOf(-3, 3.7) }))).toMatchObject({ severity: 'pass' });
    expect(tlsExpiry.judge(withTls({ certificate: certificateOf(-5, 1.7) }))).toMatchObject({ severity: 'warn' });
  });

  it('reports an expired intermediate certificate as such', () => {
    const judged = tlsExpiry.judge(withTls({ failure: 'tls-expired', certificate: certificateOf(-10, 80) }));
    expect(judged).toMatchObject({
      severity: 'fail',
      detail: expect.stringContaining('another certificate sent with it'),
    });
  });

  it('names the address whose certificate expires first', () => {
    const [v4, v6] = evidenceOf().tls?.handshakes ?? [];
    if (v4 === undefined || v6 === undefined) throw new Error('Both families are expected.');
    const handshakes = [v4, { ...v6, certificate: certificateOf(-80, 5) }];
    const judged = tlsExpiry.judge(evidenceOf({ tls: { speaksOldTls: false, handshakes } }));
    expect(judged).toMatchObject({ severity: 'warn', detail: expect.stringContaining(`at ${v6.address}`) });
  });
});

describe('tls-protocol', () => {
  it('passes, but says so, when it is unknown whether older versions are accepted', () => {
    const judged = tlsProtocol.judge(withTls({}, { speaksOldTls: null }));
    expect(judged).toMatchObject({ severity: 'pass', detail: expect.stringContaining('It is unknown whether') });
  });

  it('fails when the handshake negotiated an old version', () => {
    expect(tlsProtocol.judge(withTls({ protocol: 'TLSv1.1' }))).toMatchObject({ severity: 'fail' });
  });
});

describe('a certificate that only one address sends', () => {
  it('is not named as the trusted one when it is refused', () => {
    const [first, second] = withTls({}).tls?.handshakes ?? [];
    if (first === undefined || second === undefined) throw new Error('two handshakes are needed');
    const refused = { ...certificateOf(-10, 80), issuer: 'Refused', names: ['refused.example'] };
    const handshakes: Handshake[] = [
      { ...first, failure: 'tls-untrusted', certificate: refused, chainLength: 7 },
      { ...second, certificate: certificateOf(-10, 80), chainLength: 2 },
    ];
    const evidence = evidenceOf({ tls: { speaksOldTls: false, handshakes } });
    const details = tlsRules.map((rule) => rule.judge(evidence)?.detail).join(' ');
    expect(details).not.toMatch(/refused|7 certificates/i);
    expect(details).toContain("signed by Let's Encrypt");
  });
});

describe('tls-alpn', () => {
  it('notes a server without ALPN, and passes one that negotiates HTTP/1.1', () => {
    expect(tlsAlpn.judge(withTls({ alpn: null }))).toMatchObject({ severity: 'info' });
    expect(tlsAlpn.judge(withTls({ alpn: 'http/1.1' }))).toMatchObject({ severity: 'pass' });
  });
});
