import { generateKeyPairSync } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import { createCertificateAuthority } from './certificate-authority.ts';
import type { CertificateFault } from './kind.ts';

export interface SecureContexts {
  /** The certificate of the authority to trust, PEM. */
  readonly authority: string;
  /** The context to answer for a host name with; made when first asked for. */
  contextFor(name: string, fault: CertificateFault | undefined): SecureContext;
}

const dayMs = 24 * 3_600_000;

/** Certificates for any number of names, all of one key; of the contexts made, the last `limit` used are kept. */
export function createSecureContexts(limit: number): SecureContexts {
  const trusted = createCertificateAuthority('Loops reference fleet');
  const unknown = createCertificateAuthority('An unknown authority');
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const kept = new Map<string, SecureContext>();

  const create = (name: string, fault: CertificateFault | undefined): SecureContext => {
    const now = Date.now();
    const lastDay = fault === 'expired' ? -1 : 365;
    const validity = { notBefore: new Date(now - 30 * dayMs), notAfter: new Date(now + lastDay * dayMs) };
    if (fault === 'self-signed') {
      const own = createCertificateAuthority(name);
      return createSecureContext({ key: own.privateKey, cert: own.certificate });
    }
    const authority = fault === 'unknown-authority' ? unknown : trusted;
    const names = fault === 'wrong-name' ? ['another-name.example'] : [name];
    return createSecureContext({ key, cert: authority.issue({ names, publicKey, ...validity }) });
  };

  return {
    authority: trusted.certificate,
    contextFor: (name, fault) => {
      const context = kept.get(name) ?? create(name, fault);
      kept.delete(name);
      kept.set(name, context);
      const oldest = kept.keys().next();
      if (kept.size > limit && !oldest.done) kept.delete(oldest.value);
      return context;
    },
  };
}
