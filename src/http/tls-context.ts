import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';

/** `network.caFile` is unusable; the message is one sentence with the cure. */
export class CaFileError extends Error {
  override readonly name = 'CaFileError';
  readonly kind = 'setting';

  constructor(path: string, problem: string, options?: ErrorOptions) {
    super(`network.caFile ${path} ${problem}: name a readable PEM file with certificates, or null.`, options);
  }
}

/**
 * OpenSSL's default groups without the post-quantum one: what a visit reads is public, and the keys of that group cost a tenth of a
 * handshake.
 */
const GROUPS = 'X25519:P-256:X448:P-384:P-521:ffdhe2048:ffdhe3072';

/** The last context with additional authorities: parsing the default ones takes 50 ms. */
let last: { readonly pem: string; readonly context: SecureContext } | undefined;

/**
 * The TLS context that all connections share: parsing the root certificates for each connection would cost more than the crawl.
 *
 * @param caFile PEM file with additional trusted authorities, or null.
 * @throws {CaFileError} when the file is unusable.
 */
export function createTlsContext(caFile: string | null): SecureContext {
  if (caFile === null) return createSecureContext({ ecdhCurve: GROUPS });
  const extra = readPem(caFile);
  try {
    // OpenSSL silently skips certificates it cannot parse.
    for (const certificate of extra) new X509Certificate(certificate);
    const pem = extra.join('');
    if (last?.pem !== pem) {
      const ca = [...getCACertificates('default'), ...extra];
      last = { pem, context: createSecureContext({ ca, ecdhCurve: GROUPS }) };
    }
    return last.context;
  } catch (cause) {
    throw new CaFileError(caFile, 'holds a certificate that cannot be read', { cause });
  }
}

const BEGIN = '-----BEGIN CERTIFICATE-----';

function readPem(caFile: string): string[] {
  let text: string;
  try {
    text = readFileSync(caFile, 'utf8');
  } catch (cause) {
    throw new CaFileError(caFile, `cannot be read (${(cause as NodeJS.ErrnoException).code})`, { cause });
  }
  const [, ...certificates] = text.split(BEGIN);
  if (certificates.length === 0) throw new CaFileError(caFile, 'holds no PEM certificate');
  return certificates.map((rest) => BEGIN + rest);
}
