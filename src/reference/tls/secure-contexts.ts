import { generateKeyPairSync } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import { LRUCache } from 'lru-cache';
import { type CertificateAuthority, createCertificateAuthority } from './certificate-authority.ts';
import { type CertificateFault, type OldProtocol, protocolOptions } from './tls-fault.ts';

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
export function createSecureContexts(limit: number) {
  const trusted = createCertificateAuthority('Loops reference authority');
  const unknown = lazy(() => createCertificateAuthority('An unknown authority'));
  const intermediate = lazy(() => trusted.createIntermediate('Loops reference intermediate'));
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const cache = new LRUCache<string, SecureContext>({ max: limit });

  /** A key and a certificate for these names and addresses, PEM. */
  const identityFor = (names: readonly string[], fault?: CertificateFault) => {
    if (fault === 'self-signed') {
      const selfSigned = createCertificateAuthority(names[0] ?? '');
      return { key: selfSigned.privateKey, cert: selfSigned.certificate };
    }
    const [firstDay, lastDay] = (fault && validDays[fault]) ?? [-30, 365];
    const daysFromNow = (days: number) => new Date(Date.now() + days * dayMs);
    let authority: CertificateAuthority = trusted;
    if (fault === 'unknown-authority') authority = unknown();
    if (fault === 'incomplete-chain') authority = intermediate();
    const certificateNames = fault === 'wrong-name' ? ['another-name.example'] : names;
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
    /** The certificate of the authority to trust, PEM. */
    authority: trusted.certificate,
    /** The certificate that the fault `incomplete-chain` omits, PEM. */
    get intermediate() {
      return intermediate().certificate;
    },
    identityFor,
    /**
     * The TLS context of a host name, or of several that share a certificate. `fault` and `protocol` must not change: a cached
     * context is returned by the first name alone.
     */
    contextFor: (
      nameOrNames: string | readonly string[],
      fault?: CertificateFault,
      protocol?: OldProtocol,
    ): SecureContext => {
      const names = typeof nameOrNames === 'string' ? [nameOrNames] : nameOrNames;
      const key = names[0] ?? '';
      const context =
        cache.get(key) ?? createSecureContext({ ...identityFor(names, fault), ...protocolOptions(protocol) });
      cache.set(key, context);
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
