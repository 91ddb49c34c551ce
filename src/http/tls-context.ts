import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';

/** `network.caFile` names something that holds no certificates; the message is one sentence with the cure. */
export class CaFileError extends Error {
  override readonly name = 'CaFileError';
  readonly kind = 'setting';

  constructor(path: string, problem: string, options?: ErrorOptions) {
    super(`network.caFile ${path} ${problem}: name a readable PEM file with certificates, or null.`, options);
  }
}

/**
 * The one TLS context that all connections share: parsing the roots anew for each connection costs more than the crawl.
 *
 * @param caFile PEM file with more trusted authorities, or null.
 * @throws {CaFileError} when it cannot be used.
 */
export function createTlsContext(caFile: string | null): SecureContext {
  if (caFile === null) return createSecureContext();
  const extra = readPem(caFile);
  try {
    // OpenSSL passes over what it cannot read, so that an authority would be missing without a word.
    for (const certificate of extra) new X509Certificate(certificate);
    return createSecureContext({ ca: [...getCACertificates('default'), ...extra] });
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
