import type { HttpFailure } from '../http/failure.ts';
import type { Evidence, Handshake, TlsEvidence } from './evidence.ts';

/** Why nothing could be learnt of the server for a cause of this machine's own, as a clause; null when something could. */
export function whyOffline({ own, tls, dns }: Pick<Evidence, 'own' | 'tls' | 'dns'>): string | null {
  if (!own.dns) return 'this machine is offline: its name servers answer nothing';
  const families = new Set(tls?.handshakes.map(({ family }) => family));
  if (families.size === 0 || [...families].some((family) => (family === 4 ? own.ipv4 : own.ipv6))) return null;
  if (!own.ipv4 && !own.ipv6) return 'this machine is offline: it has no route to any address';
  const family = own.ipv4 ? 'IPv6' : 'IPv4';
  return `this machine has no ${family}, and ${dns.name} has nothing else`;
}

interface SharedTlsFailure {
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
