import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AccessDescription,
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  AuthorityInfoAccessSyntax,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  id_ad_caIssuers,
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectAltName,
  id_ce_subjectKeyIdentifier,
  id_kp_serverAuth,
  id_pe_authorityInfoAccess,
  KeyIdentifier,
  KeyUsage,
  KeyUsageFlags,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509';

export interface LeafRequest {
  /** DNS names and IP addresses of the certificate. */
  names: readonly string[];
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
  name: Name;
  publicKey: KeyObject;
  notBefore: Date;
  notAfter: Date;
  extensions: Extension[];
}

const dayMs = 24 * 3_600_000;
const authorityDays = 3_650;
const ecdsaWithSha256 = new AlgorithmIdentifier({ algorithm: '1.2.840.10045.4.3.2' });

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
  const keyIdentifier = createHash('sha1').update(publicKeyBytes(publicKey)).digest();
  const certify = (subject: Subject): string => {
    const tbsCertificate = new TBSCertificate({
      version: Version.v3,
      // The first byte is positive and not zero.
      serialNumber: arrayBuffer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
      signature: ecdsaWithSha256,
      issuer,
      validity: new Validity({ notBefore: subject.notBefore, notAfter: subject.notAfter }),
      subject: subject.name,
      subjectPublicKeyInfo: AsnConvert.parse(publicKeyBytes(subject.publicKey), SubjectPublicKeyInfo),
      extensions: new Extensions(subject.extensions),
    });
    const signature = sign('sha256', Buffer.from(AsnConvert.serialize(tbsCertificate)), privateKey);
    const certificate = new Certificate({
      tbsCertificate,
      signatureAlgorithm: ecdsaWithSha256,
      signatureValue: arrayBuffer(signature),
    });
    return pem(AsnConvert.serialize(certificate));
  };
  const authorityKeyIdentifier = extension(
    id_ce_authorityKeyIdentifier,
    new AuthorityKeyIdentifier({ keyIdentifier: new KeyIdentifier(keyIdentifier) }),
  );
  const now = Date.now();
  const usage = KeyUsageFlags.digitalSignature | KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign;
  const certificate = (signWith ?? certify)({
    name: issuer,
    publicKey,
    notBefore: new Date(now - dayMs),
    notAfter: new Date(now + authorityDays * dayMs),
    extensions: [
      extension(id_ce_basicConstraints, new BasicConstraints({ cA: true }), true),
      extension(id_ce_keyUsage, new KeyUsage(usage), true),
      extension(id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(keyIdentifier)),
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
          extension(id_ce_subjectAltName, new SubjectAlternativeName(names.map(alternativeName))),
          authorityKeyIdentifier,
          ...(certificateUrl === undefined ? [] : [issuerUrl(certificateUrl)]),
          extension(id_ce_extKeyUsage, new ExtendedKeyUsage([id_kp_serverAuth])),
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

function publicKeyBytes(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' });
}

function arrayBuffer(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

function extension(extnID: string, value: unknown, critical = false): Extension {
  return new Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });
}

/** A subject alternative name (RFC 5280 section 4.2.1.6). */
function alternativeName(name: string): GeneralName {
  return new GeneralName(isIP(name) === 0 ? { dNSName: name } : { iPAddress: name });
}

/** The extension that names the URL of the certificate of the issuer. */
function issuerUrl(url: string): Extension {
  const accessLocation = new GeneralName({ uniformResourceIdentifier: url });
  const access = new AccessDescription({ accessMethod: id_ad_caIssuers, accessLocation });
  return extension(id_pe_authorityInfoAccess, new AuthorityInfoAccessSyntax([access]));
}

function distinguishedName(commonName: string): Name {
  const attribute = new AttributeTypeAndValue({
    type: '2.5.4.3',
    value: new AttributeValue({ utf8String: commonName }),
  });
  return new Name([new RelativeDistinguishedName([attribute])]);
}

function pem(certificate: ArrayBuffer): string {
  const lines =
    Buffer.from(certificate)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
