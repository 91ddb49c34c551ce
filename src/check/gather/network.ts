import { createSocket } from 'node:dgram';
import type { AddressGuard } from '../../http/address-guard.ts';
import type { DnsQueries } from '../../http/dns-queries.ts';
import type { HostAddress, Resolver } from '../../http/resolver.ts';
import { probeTls, speaksOldTls, type TlsProbeOptions } from '../../http/tls-probe.ts';
import { localAddresses } from '../../model/domain/local-server.ts';
import type { AddressAnswer, DnsEvidence, Handshake, LocalNetwork, TlsEvidence } from '../evidence.ts';

/** Looks up the addresses of a name, one query per family, and its CAA records; never rejects. */
export async function gatherDns(name: string, dnsQueries: DnsQueries, guard: AddressGuard): Promise<DnsEvidence> {
  const [ipv4, ipv6, caa] = await Promise.all([
    addressesOf(name, 4, dnsQueries, guard),
    addressesOf(name, 6, dnsQueries, guard),
    caaFor(name, dnsQueries),
  ]);
  return { name, ipv4, ipv6, caa };
}

/** The DNS evidence of a local server, for which no query is sent. */
export function localDns(host: string): DnsEvidence {
  const answer = (family: 4 | 6): AddressAnswer => {
    const addresses = localAddresses(host).flatMap((each) => (each.family === family ? each.address : []));
    return { addresses, failure: addresses.length === 0 ? 'dns-no-address' : null, forbidden: [] };
  };
  return { name: host, ipv4: answer(4), ipv6: answer(6), caa: null };
}

async function addressesOf(
  name: string,
  family: 4 | 6,
  dnsQueries: DnsQueries,
  guard: AddressGuard,
): Promise<AddressAnswer> {
  const answer = await dnsQueries.addresses(name, family);
  if (typeof answer === 'string') return { addresses: [], failure: answer, forbidden: [] };
  const forbidden = answer.flatMap((address) => {
    const forbiddenRange = guard(address);
    return forbiddenRange === null ? [] : [{ address, what: forbiddenRange.what, source: forbiddenRange.source }];
  });
  return { addresses: answer, failure: null, forbidden };
}

/**
 * The CAA records in force for a name (RFC 8659 section 3): its own, or those of the nearest parent that has any. `records` is empty when
 * none has any; null when a query failed.
 */
async function caaFor(host: string, dnsQueries: DnsQueries): Promise<DnsEvidence['caa']> {
  // Each round drops the first label; the last one leaves an empty name.
  for (let name = host; name !== ''; name = name.slice(name.indexOf('.') + 1 || name.length)) {
    const records = await dnsQueries.caa(name);
    if (records === 'dns-no-address' || records === 'dns-nxdomain') continue;
    if (typeof records === 'string') return null;
    if (records.length > 0) return { name, records };
  }
  return { name: host, records: [] };
}

/** A TLS handshake with the first address of each family, IPv4 first, and one more with old protocol versions; never rejects. */
export async function gatherTls(
  addresses: readonly HostAddress[],
  options: Omit<TlsProbeOptions, 'address'>,
): Promise<TlsEvidence | null> {
  const firstAddresses = ([4, 6] as const).flatMap((family) => addresses.find((each) => each.family === family) ?? []);
  if (firstAddresses.length === 0) return null;
  const handshakes = await Promise.all(
    firstAddresses.map(
      async (address): Promise<Handshake> => ({ ...address, ...(await probeTls({ ...options, address })) }),
    ),
  );
  const answering = firstAddresses[handshakes.findIndex(hasAnswered)];
  return {
    handshakes,
    speaksOldTls: answering === undefined ? null : await speaksOldTls({ ...options, address: answering }),
  };
}

/** Whether the server speaks some version of TLS, or closed the connection during the handshake. */
function hasAnswered({ protocol, failure }: Handshake): boolean {
  return protocol !== null || failure === 'tls-failed' || failure === 'connection-reset';
}

interface LocalNetworkProbes {
  resolver: Pick<Resolver, 'isAnswering' | 'canResolve'>;
  hasRoute: (family: 4 | 6) => Promise<boolean>;
}

/** Tests whether a failure was caused by this machine's own network; never rejects. */
export async function gatherLocalNetwork(
  dns: DnsEvidence,
  tls: TlsEvidence | null,
  { resolver, hasRoute }: LocalNetworkProbes,
): Promise<LocalNetwork> {
  const sawNoRoute = tls?.handshakes.some(({ failure }) => failure === 'no-route') === true;
  const isRouted = async (family: 4 | 6) => {
    const isRouteProven =
      tls?.handshakes.some((each) => each.family === family && each.failure !== 'no-route') === true;
    return !sawNoRoute || isRouteProven || hasRoute(family);
  };
  const [ipv4, ipv6, isDnsWorking] = await Promise.all([isRouted(4), isRouted(6), dnsWorks(dns, resolver)]);
  return { ipv4, ipv6, dns: isDnsWorking };
}

/** Whether the name servers work: an address of either family proves it, and so does a name without addresses. */
async function dnsWorks({ ipv4, ipv6 }: DnsEvidence, resolver: LocalNetworkProbes['resolver']): Promise<boolean> {
  const failures = [ipv4, ipv6].map(({ failure }: AddressAnswer) => failure);
  if (failures.some((each) => each === null || each === 'dns-no-address')) return true;
  // Name servers without a working upstream give these errors for every name.
  const gotError = failures.some((each) => each === 'dns-servfail' || each === 'dns-nxdomain');
  return gotError ? resolver.canResolve() : resolver.isAnswering();
}

/** Public name servers. Connecting a datagram socket needs a route, but sends nothing. */
const PUBLIC_ADDRESSES = { 4: '8.8.8.8', 6: '2001:4860:4860::8888' } as const;

/** Whether this machine has a route to public addresses of a family. Sends nothing. */
export function hasRoute(family: 4 | 6): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = createSocket(family === 4 ? 'udp4' : 'udp6');
  const finish = (has: boolean) => {
    resolve(has);
    socket.close();
  };
  socket.once('error', () => finish(false));
  socket.connect(53, PUBLIC_ADDRESSES[family], () => finish(true));
  return promise;
}
