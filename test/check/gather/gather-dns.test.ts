import { describe, expect, it } from 'vitest';
import { gatherDns } from '../../../src/check/gather/network.ts';
import { createAddressGuard } from '../../../src/http/address-guard.ts';
import { createDnsQuestions } from '../../../src/http/dns-questions.ts';
import { type NameRecords, startServedDns } from '../operator-dns.ts';

const NONE: NameRecords = { a: [], aaaa: [], caa: [] };

async function evidenceFor(name: string, names: Record<string, Partial<NameRecords>>) {
  const dns = await startServedDns((asked) => (names[asked] === undefined ? undefined : { ...NONE, ...names[asked] }));
  const questions = createDnsQuestions({ servers: [dns.address], timeoutMs: 100 });
  return { dns, evidence: await gatherDns(name, questions, createAddressGuard([])) };
}

const issue = (value: string) => [{ tag: 'issue', value }];

describe('what the DNS says of a name', () => {
  it('is asked for each family by itself', async () => {
    const { evidence } = await evidenceFor('loops.example', {
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
  ] as const)('is %s as it was answered', async (fault, failure) => {
    const { evidence } = await evidenceFor('loops.example', { 'loops.example': { a: fault, aaaa: fault, caa: fault } });
    expect(evidence).toMatchObject({ ipv4: { failure }, ipv6: { failure } });
  });

  it('names the addresses that are not public, and what they are', async () => {
    const { evidence } = await evidenceFor('loops.example', {
      'loops.example': { a: ['192.168.0.7', '93.184.215.14'], aaaa: ['fd00::7'] },
    });
    expect(evidence.ipv4.forbidden).toEqual([
      { address: '192.168.0.7', what: expect.any(String), source: expect.stringContaining('RFC 1918') },
    ]);
    expect(evidence.ipv6.forbidden).toMatchObject([{ address: 'fd00::7' }]);
  });
});

describe('the CAA records that hold for a name (RFC 8659)', () => {
  it('are its own, with their flag', async () => {
    const { evidence } = await evidenceFor('clips.loops.example', {
      'clips.loops.example': { caa: [{ flags: 128, tag: 'issue', value: 'own.example' }] },
      'loops.example': { caa: issue('above.example') },
    });
    expect(evidence.caa).toEqual({
      name: 'clips.loops.example',
      records: [{ critical: true, tag: 'issue', value: 'own.example' }],
    });
  });

  it.each([['has none'], ['does not exist']])('are those of the nearest name above where it %s', async (how) => {
    const { evidence, dns } = await evidenceFor('a.b.loops.example', {
      ...(how === 'has none' ? { 'a.b.loops.example': {}, 'b.loops.example': {} } : {}),
      'loops.example': { caa: [...issue('above.example'), { tag: 'iodef', value: 'mailto:a@b.example' }] },
      example: { caa: issue('top.example') },
    });
    expect(evidence.caa).toEqual({
      name: 'loops.example',
      records: [
        { critical: false, tag: 'issue', value: 'above.example' },
        { critical: false, tag: 'iodef', value: 'mailto:a@b.example' },
      ],
    });
    expect(dns.asked).not.toContain('CAA example');
  });

  it('are none where no name has any, up to the top', async () => {
    const { evidence, dns } = await evidenceFor('loops.example', { 'loops.example': {}, example: {} });
    expect(evidence.caa).toEqual({ name: 'loops.example', records: [] });
    expect(dns.asked.filter((question) => question.startsWith('CAA'))).toEqual(['CAA loops.example', 'CAA example']);
  });

  it('are unknown where a question is not answered', async () => {
    const { evidence } = await evidenceFor('loops.example', {
      'loops.example': { caa: 'servfail' },
      example: { caa: issue('top.example') },
    });
    expect(evidence.caa).toBeNull();
  });
});
