import { generateKeyPairSync } from 'node:crypto';
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
import { z } from 'zod';
import { type CertificateAuthority, createCertificateAuthority } from './certificate-authority.ts';

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

export interface SecureContexts {
  /** The certificate of the authority to trust, PEM. */
  readonly authority: string;
  /** The certificate that the fault `incomplete-chain` leaves out, PEM. */
  readonly intermediate: string;
  /** The context to answer for a host name with; made when first asked for. */
  contextFor(name: string, fault?: CertificateFault, protocol?: OldProtocol): SecureContext;
  /** A key and a certificate for all of these names and addresses, PEM. */
  identityFor(names: readonly string[], fault?: CertificateFault): Required<Pick<SecureContextOptions, 'key' | 'cert'>>;
}

const dayMs = 24 * 3_600_000;

/** First and last day that a certificate holds, counted from today. */
const validDays: Partial<Record<CertificateFault, readonly [first: number, last: number]>> = {
  expired: [-30, -1],
  'not-yet-valid': [30, 365],
};

/** Certificates for any number of names, all of one key; of the contexts made, the last `limit` used are kept. */
export function createSecureContexts(limit: number): SecureContexts {
  const trusted = createCertificateAuthority('Loops reference authority');
  const unknown = lazy(() => createCertificateAuthority('An unknown authority'));
  const intermediate = lazy(() => trusted.createIntermediate('Loops reference intermediate'));
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const kept = new Map<string, SecureContext>();

  const identityFor: SecureContexts['identityFor'] = (names, fault) => {
    if (fault === 'self-signed') {
      const own = createCertificateAuthority(names[0] ?? '');
      return { key: own.privateKey, cert: own.certificate };
    }
    const [first, last] = (fault && validDays[fault]) ?? [-30, 365];
    const at = (days: number) => new Date(Date.now() + days * dayMs);
    let authority: CertificateAuthority = trusted;
    if (fault === 'unknown-authority') authority = unknown();
    if (fault === 'incomplete-chain') authority = intermediate();
    const certified = fault === 'wrong-name' ? ['another-name.example'] : [...names];
    return { key, cert: authority.issue({ names: certified, publicKey, notBefore: at(first), notAfter: at(last) }) };
  };

  return {
    authority: trusted.certificate,
    get intermediate() {
      return intermediate().certificate;
    },
    identityFor,
    contextFor: (name, fault, protocol) => {
      const context =
        kept.get(name) ?? createSecureContext({ ...identityFor([name], fault), ...protocolOptions(protocol) });
      kept.delete(name);
      kept.set(name, context);
      const oldest = kept.keys().next();
      if (kept.size > limit && !oldest.done) kept.delete(oldest.value);
      return context;
    },
  };
}

function lazy<T>(create: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= create();
    return made;
  };
}

/** The options of a TLS server that speaks one old version alone; OpenSSL does so at security level 0 only. */
export function protocolOptions(protocol: OldProtocol | undefined): SecureContextOptions {
  if (protocol === undefined) return {};
  return { minVersion: protocol, maxVersion: protocol, ciphers: 'DEFAULT@SECLEVEL=0' };
}
