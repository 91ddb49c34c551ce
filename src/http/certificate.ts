import type { X509Certificate } from 'node:crypto';
import type { EpochMs } from '../model/time.ts';

/** The parts of a server certificate that reports use. */
export interface Certificate {
  /** The DNS names and addresses of the subject alternative name, at most {@link MAX_NAMES}. */
  names: string[];
  validFrom: EpochMs;
  validTo: number;
  /** Organisation, else common name; null when the certificate names neither. */
  issuer: string | null;
}

/** A certificate may hold thousands of names. */
const MAX_NAMES = 100;
const MAX_NAME_LENGTH = 255;

/** Null when there is no certificate or its dates are unreadable. */
export function readCertificate(peer: X509Certificate | undefined): Certificate | null {
  const validFrom = Date.parse(peer?.validFrom ?? '');
  const validTo = Date.parse(peer?.validTo ?? '');
  if (peer === undefined || Number.isNaN(validFrom) || Number.isNaN(validTo)) return null;
  return {
    validFrom,
    validTo,
    // Only messages need these two: they take longer to read than the dates, because Node makes a text of every name, and parses the whole
    // certificate for the issuer.
    get names() {
      // Node puts a name in quotes if it contains a comma or a quote.
      const names = [...(peer.subjectAltName ?? '').matchAll(/(?:DNS|IP Address):("(?:[^"\\]|\\.)*"|[^,]*)/g)];
      return names.slice(0, MAX_NAMES).map(([, name = '']) => name.trim().slice(0, MAX_NAME_LENGTH));
    },
    get issuer() {
      const { O: organisation, CN: name } = peer.toLegacyObject().issuer ?? {};
      const issuer = organisation ?? name;
      return typeof issuer === 'string' ? issuer.slice(0, MAX_NAME_LENGTH) : null;
    },
  };
}

/** The problem of a certificate, as a clause an operator can act on. */
export function certificateProblem(
  failure: 'tls-expired' | 'tls-wrong-name' | 'tls-untrusted',
  certificate: Certificate,
  now: number,
): string {
  const { names, validFrom, validTo } = certificate;
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  const shown =
    names.slice(0, 5).join(', ') +
    (names.length > 5 ? ` and ${names.length === MAX_NAMES ? 'at least ' : ''}${names.length - 5} more` : '');
  switch (failure) {
    case 'tls-expired':
      if (now < validFrom) return `the certificate is valid from ${day(validFrom)}`;
      if (now > validTo) return `the certificate expired on ${day(validTo)}`;
      return 'the certificate of an issuer has expired or is not valid yet';
    case 'tls-wrong-name':
      return names.length === 0 ? 'the certificate has no subject alternative name' : `the certificate is for ${shown}`;
    case 'tls-untrusted':
      return certificate.issuer === null
        ? 'the certificate names no issuer'
        : `the certificate is signed by "${certificate.issuer}"`;
  }
}
