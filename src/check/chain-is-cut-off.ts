import type { Handshake } from './evidence.ts';

/**
 * Whether the certificate is refused because only it was sent, and not that of the intermediate authority who signed it: it says where
 * that one is to be had, which those of public authorities do and those of one's own hardly ever.
 */
export function chainIsCutOff({ failure, certificate, chainLength }: Handshake): boolean {
  if (failure !== 'tls-untrusted' || certificate === null || certificate.isSelfSigned) return false;
  return chainLength === 1 && certificate.issuerUrl !== null;
}
