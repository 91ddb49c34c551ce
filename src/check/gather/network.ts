import { createSocket } from 'node:dgram';
import type { AddressGuard } from '../../http/address-guard.ts';
import type { DnsQuestions } from '../../http/dns-questions.ts';
import type { HostAddress, Resolver } from '../../http/resolver.ts';
import { probeTls, speaksOldTls, type TlsProbeOptions } from '../../http/tls-probe.ts';
import type { AddressAnswer, DnsEvidence, Handshake, OwnNetwork, TlsEvidence } from '../evidence.ts';

/** Asks for the addresses of a name, each family by itself, and for its CAA records; never rejects. */
export async function gatherDns(name: string, questions: DnsQuestions, guard: AddressGuard): Promise<DnsEvidence> {
  const [ipv4, ipv6, caa] = await Promise.all([
    addressesOf(name, 4, questions, guard),
    addressesOf(name, 6, questions, guard),
    caaFor(name, questions),
  ]);
  return { name, ipv4, ipv6, caa };
}

async function addressesOf(
  name: string,
  family: 4 | 6,
  questions: DnsQuestions,
  guard: AddressGuard,
): Promise<AddressAnswer> {
  const answer = await questions.addresses(name, family);
  if (typeof answer === 'string') return { addresses: [], failure: answer, forbidden: [] };
  const forbidden = answer.flatMap((address) => {
    const row = guard(address);
    return row === null ? [] : [{ address, what: row.what, source: row.source }];
  });
  return { addresses: answer, failure: null, forbidden };
}

/**
 * The records that hold for a name (RFC 8659 section 3): its own, or else those of the nearest name above it that has any. None
 * hold where no name has any.
 */
async function caaFor(host: string, questions: DnsQuestions): Promise<DnsEvidence['caa']> {
  for (let name = host; name !== ''; name = name.slice(name.indexOf('.') + 1 || name.length)) {
    const records = await questions.caa(name);
    if (records === 'dns-no-address' || records === 'dns-nxdomain') continue;
    if (typeof records === 'string') return null;
    if (records.length > 0) return { name, records };
  }
  return { name: host, records: [] };
}

/** Shakes hands with the first address of each family, IPv4 first, and once more for old protocols; never rejects. */
export async function gatherTls(
  addresses: readonly HostAddress[],
  options: Omit<TlsProbeOptions, 'address'>,
): Promise<TlsEvidence | null> {
  const firsts = ([4, 6] as const).flatMap((family) => addresses.find((each) => each.family === family) ?? []);
  if (firsts.length === 0) return null;
  const handshakes = await Promise.all(
    firsts.map(async (address): Promise<Handshake> => ({ ...address, ...(await probeTls({ ...options, address })) })),
  );
  const answering = firsts[handshakes.findIndex(hasAnswered)];
  return {
    handshakes,
    speaksOldTls: answering === undefined ? null : await speaksOldTls({ ...options, address: answering }),
  };
}

/** Whether there is a server that speaks TLS, in whatever version, or hangs up on ours. */
function hasAnswered({ protocol, failure }: Handshake): boolean {
  return protocol !== null || failure === 'tls-failed' || failure === 'connection-reset';
}

interface OwnParts {
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

/** Public name servers, to which nothing is sent: that a datagram socket can be aimed at an address is what having a route means. */
const SOMEWHERE = { 4: '8.8.8.8', 6: '2001:4860:4860::8888' } as const;

/** Whether this machine has a route to the public addresses of a family. Sends nothing. */
export function hasRoute(family: 4 | 6): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = createSocket(family === 4 ? 'udp4' : 'udp6');
  const end = (has: boolean) => {
    resolve(has);
    socket.close();
  };
  socket.once('error', () => end(false));
  socket.connect(53, SOMEWHERE[family], () => end(true));
  return promise;
}
