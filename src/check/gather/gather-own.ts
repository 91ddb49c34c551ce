import type { Resolver } from '../../http/resolver.ts';
import type { AddressAnswer, DnsEvidence, OwnNetwork, TlsEvidence } from '../evidence.ts';

export interface OwnParts {
  resolver: Pick<Resolver, 'answers' | 'resolves'>;
  hasRoute: (family: 4 | 6) => Promise<boolean>;
}

/** Looks whether a failure is that of this machine's own network, where it looks like one; never rejects. */
export async function gatherOwn(
  dns: DnsEvidence,
  tls: TlsEvidence | null,
  { resolver, hasRoute }: OwnParts,
): Promise<OwnNetwork> {
  const isDoubtful = tls?.handshakes.some(({ failure }) => failure === 'no-route') === true;
  const routed = async (family: 4 | 6) => {
    const isProven = tls?.handshakes.some((each) => each.family === family && each.failure !== 'no-route') === true;
    return !isDoubtful || isProven || hasRoute(family);
  };
  const [ipv4, ipv6, works] = await Promise.all([routed(4), routed(6), dnsWorks(dns, resolver)]);
  return { ipv4, ipv6, dns: works };
}

/** A name that does not exist, and an address of either family, are answers. */
async function dnsWorks({ ipv4, ipv6 }: DnsEvidence, resolver: OwnParts['resolver']): Promise<boolean> {
  const failures = [ipv4, ipv6].map(({ failure }: AddressAnswer) => failure);
  if (!failures.every((each) => each === 'dns-timeout' || each === 'dns-refused' || each === 'dns-servfail'))
    return true;
  return failures.includes('dns-servfail') ? resolver.resolves() : resolver.answers();
}
