import { describe, expect, it } from 'vitest';
import { gathered } from '../gathered.ts';
import { IPV4, IPV6, startOperatorHost, type Virtues } from '../operator-host.ts';

const DAY_MS = 86_400_000;
const WELL: Virtues['certificate'] = {
  names: ['loops.example', 'www.loops.example'],
  fromDay: -10,
  toDay: 80,
  signer: 'trusted',
  sendsIntermediate: true,
};

describe('the handshakes of a check', () => {
  it('tell what is agreed upon, over each family', async () => {
    const host = await startOperatorHost();
    const { tls } = await gathered(host);
    expect(tls?.handshakes).toMatchObject([
      { address: IPV4, family: 4, failure: null, protocol: 'TLSv1.3', alpn: 'h2', chainLength: 2 },
      { address: IPV6, family: 6, failure: null, protocol: 'TLSv1.3', alpn: 'h2', chainLength: 2 },
    ]);
    expect(tls?.speaksOldTls).toBe(false);
  });

  it('are of the family that there is', async () => {
    const host = await startOperatorHost({ ipv6: [] });
    const { tls } = await gathered(host);
    expect(tls?.handshakes.map(({ family }) => family)).toEqual([4]);
  });

  it('show the certificate', async () => {
    const host = await startOperatorHost({ certificate: { ...WELL, toDay: 5 } });
    const { tls } = await gathered(host);
    const { certificate } = tls?.handshakes[0] ?? {};
    expect(certificate).toMatchObject({
      names: ['loops.example', 'www.loops.example'],
      issuer: 'Operator test intermediate',
      issuerUrl: 'http://authority.example/intermediate.cer',
      isSelfSigned: false,
    });
    expect(((certificate?.validTo ?? 0) - Date.now()) / DAY_MS).toBeCloseTo(5, 1);
  });

  it.each<[string, Partial<Virtues['certificate']>, object]>([
    ['expired', { toDay: -1 }, { failure: 'tls-expired', detail: expect.stringContaining('expired on') }],
    ['not valid yet', { fromDay: 3 }, { failure: 'tls-expired', detail: expect.stringContaining('is valid from') }],
    [
      'of another name',
      { names: ['other.example'] },
      { failure: 'tls-wrong-name', detail: 'the certificate is for other.example' },
    ],
    ['of an unknown authority', { signer: 'unknown' }, { failure: 'tls-untrusted', chainLength: 1 }],
    ['without its intermediate', { sendsIntermediate: false }, { failure: 'tls-untrusted', chainLength: 1 }],
    ['signed by itself', { signer: 'itself' }, { failure: expect.any(String), certificate: { isSelfSigned: true } }],
  ])('go on with a certificate that is %s, to show it', async (_what, changes, expected) => {
    const host = await startOperatorHost({ certificate: { ...WELL, ...changes } });
    const { tls, visit, answers } = await gathered(host);
    expect(tls?.handshakes[0]).toMatchObject({ protocol: 'TLSv1.3', certificate: expect.anything(), ...expected });
    expect(visit.verdict).toBe('unreachable');
    expect(answers.config).toBeNull();
    expect(answers['home-http']?.status).toBe(301);
  });

  it('tell that HTTP/2 is not offered', async () => {
    const host = await startOperatorHost({ http2: false });
    const { tls } = await gathered(host);
    expect(tls?.handshakes[0]?.alpn).not.toBe('h2');
  });

  it('tell old protocols beside the new ones', async () => {
    const host = await startOperatorHost({ tls: { least: 'TLSv1', most: 'TLSv1.3' } });
    const { tls } = await gathered(host);
    expect(tls).toMatchObject({ speaksOldTls: true, handshakes: [{ protocol: 'TLSv1.3' }, { protocol: 'TLSv1.3' }] });
  });

  it.each(['TLSv1', 'TLSv1.1'] as const)('tell a server that speaks %s alone', async (version) => {
    const host = await startOperatorHost({ tls: { least: version, most: version } });
    const { tls, visit } = await gathered(host);
    expect(visit.reason).toBe('tls-failed');
    expect(tls).toMatchObject({ speaksOldTls: true, handshakes: [{ failure: 'tls-failed', protocol: null }, {}] });
  });

  it.each([
    ['refused', 'connect-refused'],
    ['reset', 'connection-reset'],
    ['silent', 'tls-timeout'],
  ] as const)('tell a server whose connections are %s', async (reception, failure) => {
    const host = await startOperatorHost({ overIpv4: reception, overIpv6: reception });
    const { tls } = await gathered(host, { timeouts: { connectMs: 200 } });
    expect(tls?.handshakes).toMatchObject([{ failure, certificate: null, chainLength: null }, { failure }]);
    expect(tls?.speaksOldTls).not.toBe(true);
  });
});
