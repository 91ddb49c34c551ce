import type { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { certificateProblem, readCertificate } from '../../src/http/certificate.ts';
import { HOST, openClient, serveTls, urlOf } from './loopback.ts';

const accept = 'application/json';
const dayMs = 24 * 3_600_000;
const yesterday = new Date(Date.now() - dayMs).toISOString().slice(0, 10);

describe('a rejected certificate', () => {
  it.each([
    ['expired', 'tls-expired', `the certificate expired on ${yesterday}`],
    ['wrong-name', 'tls-wrong-name', 'the certificate is for another-name.example'],
    ['self-signed', 'tls-untrusted', `the certificate is signed by "self-signed.${HOST}"`],
    ['unknown-authority', 'tls-untrusted', 'the certificate is signed by "An unknown authority"'],
  ] as const)('with the fault %s causes a failure that names the fault', async (fault, failure, detail) => {
    const server = await serveTls((_request, response) => response.end(), fault);
    expect(await openClient().get(urlOf(server), { accept })).toMatchObject({ kind: 'failure', failure, detail });
    expect(server.targets).toEqual([]);
  });
});

describe('certificateProblem', () => {
  const valid = { names: [HOST], validFrom: 0, validTo: 10 * dayMs, issuer: null };

  it('does not call a certificate expired whose own dates are valid: an expired issuer causes the same failure', () => {
    expect(certificateProblem('tls-expired', valid, dayMs)).toBe(
      'the certificate of an issuer has expired or is not valid yet',
    );
    expect(certificateProblem('tls-expired', valid, 11 * dayMs)).toBe('the certificate expired on 1970-01-11');
  });

  it('gives no exact number of names when not all names were read', () => {
    const names = Array.from({ length: 1_000 }, (_, index) => `${index}.example`);
    const dates = { validFrom: 'Jan 1 00:00:00 2026 GMT', validTo: 'Jan 1 00:00:00 2027 GMT' };
    const subjectAltName = names.map((name) => `DNS:${name}`).join(', ');
    const certificate = readCertificate({ ...dates, subjectAltName } as X509Certificate);
    expect(certificate && certificateProblem('tls-wrong-name', certificate, dayMs)).toMatch(/ and at least 95 more$/);
  });
});

describe('an accepted certificate', () => {
  it('is available after the first response, with its names and expiry date', async () => {
    const server = await serveTls((_request, response) => response.end());
    const client = openClient();
    expect(client.certificateOf(HOST)).toBeNull();
    await client.get(urlOf(server), { accept });
    const certificate = client.certificateOf(HOST);
    expect(certificate).toMatchObject({ names: [HOST], issuer: 'Loops reference authority' });
    expect(Math.round(((certificate?.validTo ?? 0) - Date.now()) / dayMs)).toBe(365);
  });
});
