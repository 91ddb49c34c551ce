import type { PeerCertificate } from 'node:tls';

/** What a server's certificate says of itself. */
export interface Certificate {
  /** DNS names and addresses that it is for. */
  names: string[];
  /** Milliseconds since the epoch. */
  validFrom: number;
  validTo: number;
  /** Who signed it, as it names them; null when it names nobody. */
  issuer: string | null;
}

/** So many names are read and so many characters of each: a certificate may hold thousands. */
const MOST_NAMES = 100;
const MOST_CHARACTERS = 255;

/** Null for what is no certificate, or one whose dates cannot be read. */
export function readCertificate(peer: PeerCertificate | null | undefined): Certificate | null {
  const validFrom = Date.parse(peer?.valid_from ?? '');
  const validTo = Date.parse(peer?.valid_to ?? '');
  if (peer === null || peer === undefined || Number.isNaN(validFrom) || Number.isNaN(validTo)) return null;
  const names = [...(peer.subjectaltname ?? '').matchAll(/(?:DNS|IP Address):("(?:[^"\\]|\\.)*"|[^,]*)/g)];
  const issuer = peer.issuer?.O ?? peer.issuer?.CN;
  return {
    names: names.slice(0, MOST_NAMES).map(([, name = '']) => name.trim().slice(0, MOST_CHARACTERS)),
    validFrom,
    validTo,
    issuer: typeof issuer === 'string' ? issuer.slice(0, MOST_CHARACTERS) : null,
  };
}

/** What is wrong with a certificate, in words an operator can act on. */
export function certificateProblem(
  failure: 'tls-expired' | 'tls-wrong-name' | 'tls-untrusted',
  { names, validFrom, validTo, issuer }: Certificate,
  now: number,
): string {
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  const shown = names.slice(0, 5).join(', ') + (names.length > 5 ? ` and ${names.length - 5} more` : '');
  switch (failure) {
    case 'tls-expired':
      return now < validFrom
        ? `the certificate is valid from ${day(validFrom)}`
        : `the certificate expired on ${day(validTo)}`;
    case 'tls-wrong-name':
      return names.length === 0 ? 'the certificate names no host' : `the certificate is for ${shown}`;
    case 'tls-untrusted':
      return issuer === null ? 'the certificate names no issuer' : `the certificate is signed by "${issuer}"`;
  }
}
