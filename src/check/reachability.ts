import type { HttpFailure } from '../http/failure.ts';
import type { Evidence, Handshake, TlsEvidence } from './evidence.ts';

/** How the network of this machine keeps it from reaching the server, as a clause; null when it does not. */
export function whyOffline({ localNetwork, tls, dns }: Pick<Evidence, 'localNetwork' | 'tls' | 'dns'>): string | null {
  if (!localNetwork.dns) return 'this machine is offline: its name servers resolve no name';
  const families = new Set(tls?.handshakes.map(({ family }) => family));
  if (families.size === 0 || [...families].some((family) => (family === 4 ? localNetwork.ipv4 : localNetwork.ipv6)))
    return null;
  if (!localNetwork.ipv4 && !localNetwork.ipv6) return 'this machine is offline: it has no route to any address';
  const family = localNetwork.ipv4 ? 'IPv6' : 'IPv4';
  return `this machine has no ${family}, and ${dns.name} has no other addresses`;
}

interface SharedTlsFailure {
  failure: HttpFailure;
  /** The first handshake with this failure. */
  handshake: Handshake;
}

/**
 * The TLS failure to report when no address works; null when one does. If only one family works, `dns-families-alike` reports it.
 */
export function sharedTlsFailure(tls: TlsEvidence | null): SharedTlsFailure | null {
  if (tls === null || tls.handshakes.some(({ failure }) => failure === null)) return null;
  // Any other failure says more about the server than `no-route`.
  const handshake = tls.handshakes.find(({ failure }) => failure !== 'no-route') ?? tls.handshakes[0];
  return handshake === undefined || handshake.failure === null ? null : { failure: handshake.failure, handshake };
}
