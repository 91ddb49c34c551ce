import { z } from 'zod';

/** What is wrong with a certificate. `incomplete-chain`: the intermediate that signed it is not sent. */
export const CertificateFault = z.enum([
  'expired',
  'not-yet-valid',
  'wrong-name',
  'self-signed',
  'unknown-authority',
  'incomplete-chain',
]);
export type CertificateFault = z.infer<typeof CertificateFault>;

/** The only version of TLS that is spoken, where it is one that no client should accept any more (RFC 8996). */
export const OldProtocol = z.enum(['TLSv1', 'TLSv1.1']);
export type OldProtocol = z.infer<typeof OldProtocol>;
