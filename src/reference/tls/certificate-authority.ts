import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Encoders for the DER types (ITU-T X.690) of a certificate. Each returns one complete element. Written by hand, because a fleet
 * issues a certificate for each host: `@peculiar/x509` takes twelve times the CPU (3.8 ms), is asynchronous and needs a polyfill
 * of `Reflect`.
 */
const der = {
  sequence: (...elements: Buffer[]) => element(0x30, ...elements),
  set: (...elements: Buffer[]) => element(0x31, ...elements),
  /** A context-specific element. */
  context: (tag: number, constructed: boolean, ...contents: Buffer[]) =>
    element((constructed ? 0xa0 : 0x80) | tag, ...contents),
  /** A positive integer, from its big-endian bytes. A first byte over 0x7f would make it negative without a zero before it. */
  integer: (bytes: Buffer) => element(0x02, ((bytes[0] ?? 0) & 0x80) === 0 ? bytes : Buffer.concat([zero, bytes])),
  boolean: (value: boolean) => element(0x01, Buffer.from([value ? 0xff : 0])),
  octetString: (bytes: Buffer) => element(0x04, bytes),
  bitString: (bytes: Buffer, unusedBits = 0) => element(0x03, Buffer.from([unusedBits]), bytes),
  utf8String: (text: string) => element(0x0c, Buffer.from(text)),
  /** A time before the year 2050, to the second. */
  utcTime: (time: Date) => element(0x17, Buffer.from(`${time.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`)),
  objectIdentifier: (dotted: string) => {
    const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
    return element(0x06, Buffer.from([40 * first + second, ...rest.flatMap(base128)]));
  },
};

const zero = Buffer.from([0]);

function element(tag: number, ...contents: Buffer[]): Buffer {
  const length = contents.reduce((sum, content) => sum + content.length, 0);
  return Buffer.concat([Buffer.from([tag, ...lengthBytes(length)]), ...contents]);
}

/** The length field of an element of less than 64 KiB: from 128 on, preceded by the number of its bytes. */
function lengthBytes(length: number): number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

/** The digits of a number in base 128, each in a byte; the top bit is set in all but the last. */
function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}

export interface LeafRequest {
  /** DNS names and IP addresses of the certificate. */
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
  /** Creates an intermediate authority, signed by this one. */
  createIntermediate(name: string): CertificateAuthority;
}

/** The content of a certificate without its issuer. */
interface Subject {
  name: Buffer;
  publicKey: KeyObject;
  notBefore: Date;
  notAfter: Date;
  extensions: Buffer[];
}

const dayMs = 24 * 3_600_000;
const authorityDays = 3_650;
/** The object identifiers of a certificate (RFC 5280, RFC 5758). */
const oid = {
  commonName: '2.5.4.3',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAlternativeName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  authorityInformationAccess: '1.3.6.1.5.5.7.1.1',
  serverAuthentication: '1.3.6.1.5.5.7.3.1',
  certificateOfIssuer: '1.3.6.1.5.5.7.48.2',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
} as const;
const ecdsaWithSha256 = der.sequence(der.objectIdentifier(oid.ecdsaWithSha256));
/** The bits digitalSignature, keyCertSign and cRLSign (RFC 5280 section 4.2.1.3). */
const authorityKeyUsage = der.bitString(Buffer.from([0b1000_0110]), 1);

/** Creates a certificate authority with a new P-256 key, valid from yesterday for ten years. */
export function createCertificateAuthority(name: string): CertificateAuthority {
  return createAuthority(name);
}

/**
 * @param signWith signs the certificate of the authority. Default: self-signed.
 * @param certificateUrl URL of the authority's certificate, named in the server certificates that the authority signs (RFC 5280
 * section 4.2.2.1). Default: none.
 */
function createAuthority(
  name: string,
  signWith?: (subject: Subject) => string,
  certificateUrl?: string,
): CertificateAuthority {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = distinguishedName(name);
  // SHA-1 of the whole SubjectPublicKeyInfo, which RFC 5280 section 4.2.1.2 permits: an identifier that protects nothing.
  const keyIdentifier = createHash('sha1')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest();
  const certify = (subject: Subject): string => {
    const body = der.sequence(
      // The version: 2 means v3.
      der.context(0, true, der.integer(Buffer.from([2]))),
      // The serial number.
      der.integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
      ecdsaWithSha256,
      issuer,
      der.sequence(der.utcTime(subject.notBefore), der.utcTime(subject.notAfter)),
      subject.name,
      subject.publicKey.export({ type: 'spki', format: 'der' }),
      der.context(3, true, der.sequence(...subject.extensions)),
    );
    return pem(der.sequence(body, ecdsaWithSha256, der.bitString(sign('sha256', body, privateKey))));
  };
  const authorityKeyIdentifier = extension(
    oid.authorityKeyIdentifier,
    false,
    der.sequence(der.context(0, false, keyIdentifier)),
  );
  const now = Date.now();
  const certificate = (signWith ?? certify)({
    name: issuer,
    publicKey,
    notBefore: new Date(now - dayMs),
    notAfter: new Date(now + authorityDays * dayMs),
    extensions: [
      extension(oid.basicConstraints, true, der.sequence(der.boolean(true))),
      extension(oid.keyUsage, true, authorityKeyUsage),
      extension(oid.subjectKeyIdentifier, false, der.octetString(keyIdentifier)),
    ],
  });
  return {
    certificate,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    issue: ({ names, ...subject }) =>
      certify({
        ...subject,
        name: distinguishedName(names[0] ?? ''),
        extensions: [
          extension(oid.subjectAlternativeName, false, der.sequence(...names.map(alternativeName))),
          authorityKeyIdentifier,
          ...(certificateUrl === undefined ? [] : [authorityInformationAccess(certificateUrl)]),
          extension(oid.extendedKeyUsage, false, der.sequence(der.objectIdentifier(oid.serverAuthentication))),
        ],
      }),
    createIntermediate: (intermediate) =>
      createAuthority(
        intermediate,
        (subject) => certify({ ...subject, extensions: [...subject.extensions, authorityKeyIdentifier] }),
        'http://authority.example/intermediate.cer',
      ),
  };
}

/** A subject alternative name (RFC 5280 section 4.2.1.6): a dNSName or an iPAddress. */
function alternativeName(name: string): Buffer {
  return isIP(name) === 0 ? der.context(2, false, Buffer.from(name)) : der.context(7, false, addressBytes(name));
}

/** The extension that names the URL of the certificate of the issuer. */
function authorityInformationAccess(url: string): Buffer {
  const access = der.sequence(der.objectIdentifier(oid.certificateOfIssuer), der.context(6, false, Buffer.from(url)));
  return extension(oid.authorityInformationAccess, false, der.sequence(access));
}

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  // The URL parser writes every form of an IPv6 address in hexadecimal groups, with at most one `::`.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groupsOf = (text: string | undefined) => (text ? text.split(':') : []);
  const [leading, trailing] = [groupsOf(head), groupsOf(tail)];
  const zeros = Array.from({ length: 8 - leading.length - trailing.length }, () => '0');
  return Buffer.from([...leading, ...zeros, ...trailing].map((group) => group.padStart(4, '0')).join(''), 'hex');
}

function distinguishedName(commonName: string): Buffer {
  return der.sequence(der.set(der.sequence(der.objectIdentifier(oid.commonName), der.utf8String(commonName))));
}

function extension(identifier: string, critical: boolean, value: Buffer): Buffer {
  const parts = [der.objectIdentifier(identifier), ...(critical ? [der.boolean(true)] : []), der.octetString(value)];
  return der.sequence(...parts);
}

function pem(certificate: Buffer): string {
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

/** A temporary file with the certificate of an authority, for clients that take a path. */
export interface CaFile {
  readonly path: string;
  /** Removes the file and its folder. Idempotent. */
  remove(): Promise<void>;
}

/** @param certificate PEM. */
export async function writeCaFile(certificate: string): Promise<CaFile> {
  const folder = await mkdtemp(join(tmpdir(), 'loops-reference-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const path = join(folder, 'ca.pem');
    await writeFile(path, certificate);
    return { path, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
