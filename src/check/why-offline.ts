import type { Evidence } from './evidence.ts';

/** Why nothing could be learnt of the server for a cause of this machine's own, as a clause; null when something could. */
export function whyOffline({ own, tls, dns }: Pick<Evidence, 'own' | 'tls' | 'dns'>): string | null {
  if (!own.dns) return 'this machine is offline: its name servers answer nothing';
  const families = new Set(tls?.handshakes.map(({ family }) => family));
  if (families.size === 0 || [...families].some((family) => (family === 4 ? own.ipv4 : own.ipv6))) return null;
  if (!own.ipv4 && !own.ipv6) return 'this machine is offline: it has no route to any address';
  const family = own.ipv4 ? 'IPv6' : 'IPv4';
  return `this machine has no ${family}, and ${dns.name} has nothing else`;
}
