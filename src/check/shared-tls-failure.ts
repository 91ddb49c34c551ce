import type { HttpFailure } from '../http/failure.ts';
import type { Handshake, TlsEvidence } from './evidence.ts';

export interface SharedTlsFailure {
  failure: HttpFailure;
  /** The first handshake that ended so. */
  handshake: Handshake;
}

/**
 * Why no address can be spoken to over TLS; null when one can. Where one family works and the other does not, that they differ is the
 * matter, and the rule on both families names it.
 */
export function sharedTlsFailure(tls: TlsEvidence | null): SharedTlsFailure | null {
  if (tls === null || tls.handshakes.some(({ failure }) => failure === null)) return null;
  // No route tells less of the server than anything else that it did.
  const handshake = tls.handshakes.find(({ failure }) => failure !== 'no-route') ?? tls.handshakes[0];
  return handshake === undefined || handshake.failure === null ? null : { failure: handshake.failure, handshake };
}
