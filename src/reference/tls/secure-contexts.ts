import { generateKeyPairSync } from 'node:crypto';
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
import { z } from 'zod';
import { type CertificateAuthority, createCertificateAuthority } from './certificate-authority.ts';

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

export interface SecureContexts {
  /** The certificate of the authority to trust, PEM. */
  readonly authority: string;
  /** The certificate that the fault `incomplete-chain` omits, PEM. */
  readonly intermediate: string;
  /** The TLS context of a host name. `fault` and `protocol` must not change: a cached context is returned by name alone. */
  contextFor(name: string, fault?: CertificateFault, protocol?: OldProtocol): SecureContext;
  /** A key and a certificate for these names and addresses, PEM. */
  identityFor(names: readonly string[], fault?: CertificateFault): Required<Pick<SecureContextOptions, 'key' | 'cert'>>;
}

const dayMs = 24 * 3_600_000;

/** First and last day of validity of certificates with these faults, in days from today. */
const validDays: Partial<Record<CertificateFault, readonly [first: number, last: number]>> = {
  expired: [-30, -1],
  'not-yet-valid': [30, 365],
};

/**
 * Issues certificates for any number of names, all with one key, except self-signed ones. The `limit` most recently used contexts
 * are cached.
 */
export function createSecureContexts(limit: number): SecureContexts {
  const trusted = createCertificateAuthority('Loops reference authority');
  const unknown = lazy(() => createCertificateAuthority('An unknown authority'));
  const intermediate = lazy(() => trusted.createIntermediate('Loops reference intermediate'));
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const cache = new Map<string, SecureContext>();

  const identityFor: SecureContexts['identityFor'] = (names, fault) => {
    if (fault === 'self-signed') {
      const selfSigned = createCertificateAuthority(names[0] ?? '');
      return { key: selfSigned.privateKey, cert: selfSigned.certificate };
    }
    const [firstDay, lastDay] = (fault && validDays[fault]) ?? [-30, 365];
    const daysFromNow = (days: number) => new Date(Date.now() + days * dayMs);
    let authority: CertificateAuthority = trusted;
    if (fault === 'unknown-authority') authority = unknown();
    if (fault === 'incomplete-chain') authority = intermediate();
    const certificateNames = fault === 'wrong-name' ? ['another-name.example'] : [...names];
    return {
      key,
      cert: authority.issue({
        names: certificateNames,
        publicKey,
        notBefore: daysFromNow(firstDay),
        notAfter: daysFromNow(lastDay),
      }),
    };
  };

  return {
    authority: trusted.certificate,
    get intermediate() {
      return intermediate().certificate;
    },
    identityFor,
    contextFor: (name, fault, protocol) => {
      const context =
        cache.get(name) ?? createSecureContext({ ...identityFor([name], fault), ...protocolOptions(protocol) });
      cache.delete(name);
      cache.set(name, context);
      const oldest = cache.keys().next();
      if (cache.size > limit && !oldest.done) cache.delete(oldest.value);
      return context;
    },
  };
}

function lazy<T>(create: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= create();
    return value;
  };
}

/** The options of a server that speaks only this TLS version. OpenSSL allows old versions at security level 0 only. */
export function protocolOptions(protocol: OldProtocol | undefined): SecureContextOptions {
  if (protocol === undefined) return {};
  return { minVersion: protocol, maxVersion: protocol, ciphers: 'DEFAULT@SECLEVEL=0' };
}
