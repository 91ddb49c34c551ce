import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { der } from './der.ts';

export interface LeafRequest {
  /** DNS names the certificate is for. */
  names: string[];
  publicKey: KeyObject;
  notBefore: Date;
  notAfter: Date;
}

export interface CertificateAuthority {
  /** Its own certificate, PEM. */
  readonly certificate: string;
  /** Its private key, PEM. */
  readonly privateKey: string;
  /** Signs a server certificate (RFC 5280) and returns it as PEM. */
  issue(request: LeafRequest): string;
}

const yearMs = 365 * 24 * 3_600_000;
const ecdsaWithSha256 = der.sequence(der.objectIdentifier('1.2.840.10045.4.3.2'));

/** Makes a certificate authority with a new P-256 key, valid from a day ago and for ten years. */
export function createCertificateAuthority(name: string): CertificateAuthority {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = distinguishedName(name);
  const keyIdentifier = createHash('sha1')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest();
  const certify = (subject: Buffer, key: KeyObject, notBefore: Date, notAfter: Date, extensions: Buffer[]): string => {
    const body = der.sequence(
      der.context(0, true, der.integer(Buffer.from([2]))),
      der.integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
      ecdsaWithSha256,
      issuer,
      der.sequence(der.utcTime(notBefore), der.utcTime(notAfter)),
      subject,
      key.export({ type: 'spki', format: 'der' }),
      der.context(3, true, der.sequence(...extensions)),
    );
    return pem(der.sequence(body, ecdsaWithSha256, der.bitString(sign('sha256', body, privateKey))));
  };
  const now = Date.now();
  const certificate = certify(issuer, publicKey, new Date(now - yearMs / 365), new Date(now + 10 * yearMs), [
    extension('2.5.29.19', true, der.sequence(der.boolean(true))),
    extension('2.5.29.15', true, der.bitString(Buffer.from([0b1000_0110]), 1)),
    extension('2.5.29.14', false, der.octetString(keyIdentifier)),
  ]);
  return {
    certificate,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    issue: ({ names, publicKey: key, notBefore, notAfter }) =>
      certify(distinguishedName(names[0] ?? ''), key, notBefore, notAfter, [
        extension('2.5.29.17', false, der.sequence(...names.map((dns) => der.context(2, false, Buffer.from(dns))))),
        extension('2.5.29.35', false, der.sequence(der.context(0, false, keyIdentifier))),
        extension('2.5.29.37', false, der.sequence(der.objectIdentifier('1.3.6.1.5.5.7.3.1'))),
      ]),
  };
}

function distinguishedName(commonName: string): Buffer {
  return der.sequence(der.set(der.sequence(der.objectIdentifier('2.5.4.3'), der.utf8String(commonName))));
}

function extension(identifier: string, critical: boolean, value: Buffer): Buffer {
  const parts = [der.objectIdentifier(identifier), ...(critical ? [der.boolean(true)] : []), der.octetString(value)];
  return der.sequence(...parts);
}

function pem(certificate: Buffer): string {
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
