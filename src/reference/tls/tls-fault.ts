import type { SecureContextOptions } from 'node:tls';
import { z } from 'zod';

/** Faults of a certificate. `incomplete-chain`: the intermediate certificate is not sent. */
export const CertificateFault = z.enum([
  'expired',
  'not-yet-valid',
  'wrong-name',
  'self-signed',
  'unknown-authority',
  'incomplete-chain',
]);
export type CertificateFault = z.infer<typeof CertificateFault>;

/** Deprecated TLS versions, which no client should accept (RFC 8996). */
export const OldProtocol = z.enum(['TLSv1', 'TLSv1.1']);
export type OldProtocol = z.infer<typeof OldProtocol>;

/** The options of a server that speaks only this TLS version. OpenSSL allows old versions at security level 0 only. */
export function protocolOptions(protocol: OldProtocol | undefined): SecureContextOptions {
  if (protocol === undefined) return {};
  return { minVersion: protocol, maxVersion: protocol, ciphers: 'DEFAULT@SECLEVEL=0' };
}
