import ipaddr from 'ipaddr.js';
import { FORBIDDEN_RANGES, type ForbiddenRange } from './forbidden-ranges.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Block = [Address, number];

/** Judges one address (v4 or v6 text): the row that forbids it, or null when it may be connected to. */
export type AddressGuard = (address: string) => ForbiddenRange | null;

const RANGES: readonly { block: Block; row: ForbiddenRange }[] = FORBIDDEN_RANGES.map((row) => ({
  block: ipaddr.parseCIDR(row.cidr),
  row,
}));
const V4_MAPPED: Block = ipaddr.parseCIDR('::ffff:0:0/96');
const NAT64: Block = ipaddr.parseCIDR('64:ff9b::/96');
const UNREADABLE: ForbiddenRange = { cidr: '', source: 'RFC 4291', what: 'not an address' };

/**
 * The guard against being sent to internal addresses (server-side request forgery). It is asked about the very address
 * that is about to be connected to, whether it came from the DNS or stood in a URL.
 *
 * @param allow CIDR blocks exempt from the table, from `network.allow`.
 */
export function createAddressGuard(allow: readonly string[]): AddressGuard {
  const exempt = allow.map((cidr): Block => ipaddr.parseCIDR(cidr));
  return (text) => {
    // The parser takes `::1.2.3.4` for `::ffff:1.2.3.4`, which is another address.
    const literal = text
      .replace(/^\[|\]$/g, '')
      .replace(/%.*$/, '')
      .replace(/^::(?=\d+\.)/, '::0:');
    if (!ipaddr.isValid(literal)) return UNREADABLE;
    const address = unwrap(ipaddr.parse(literal));
    if (exempt.some((block) => matches(address, block))) return null;
    return RANGES.find(({ block }) => matches(address, block))?.row ?? null;
  };
}

/** The IPv4 address inside a v4-mapped or NAT64 address (RFC 4291 section 2.5.5.2, RFC 6052); otherwise the address. */
function unwrap(address: Address): Address {
  if (![V4_MAPPED, NAT64].some((block) => matches(address, block))) return address;
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}

function matches(address: Address, [network, prefix]: Block): boolean {
  return address.kind() === network.kind() && address.match([network, prefix] as [ipaddr.IPv4 & ipaddr.IPv6, number]);
}
