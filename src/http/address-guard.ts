import ipaddr from 'ipaddr.js';

/** An address block that a crawl never connects to, and the document that reserves it. */
interface ForbiddenRange {
  cidr: string;
  source: string;
  what: string;
}

/**
 * Every block outside the public internet; the first row that contains an address forbids it. A v4-mapped or NAT64 address is judged as
 * the IPv4 address inside it. All of IPv6 except global unicast is forbidden.
 */
export const FORBIDDEN_RANGES: readonly ForbiddenRange[] = [
  { cidr: '0.0.0.0/8', source: 'RFC 791', what: 'this network' },
  { cidr: '10.0.0.0/8', source: 'RFC 1918', what: 'private use' },
  { cidr: '100.64.0.0/10', source: 'RFC 6598', what: 'shared by carriers' },
  { cidr: '127.0.0.0/8', source: 'RFC 1122', what: 'loopback' },
  { cidr: '169.254.0.0/16', source: 'RFC 3927', what: 'link local, cloud metadata' },
  { cidr: '172.16.0.0/12', source: 'RFC 1918', what: 'private use' },
  { cidr: '192.0.0.0/24', source: 'RFC 6890', what: 'protocol assignments' },
  { cidr: '192.0.2.0/24', source: 'RFC 5737', what: 'documentation' },
  { cidr: '192.88.99.0/24', source: 'RFC 7526', what: 'former 6to4 relays' },
  { cidr: '192.168.0.0/16', source: 'RFC 1918', what: 'private use' },
  { cidr: '198.18.0.0/15', source: 'RFC 2544', what: 'benchmarks' },
  { cidr: '198.51.100.0/24', source: 'RFC 5737', what: 'documentation' },
  { cidr: '203.0.113.0/24', source: 'RFC 5737', what: 'documentation' },
  { cidr: '224.0.0.0/4', source: 'RFC 5771', what: 'multicast' },
  { cidr: '240.0.0.0/4', source: 'RFC 1112', what: 'reserved, and broadcast' },
  { cidr: '::/128', source: 'RFC 4291', what: 'unspecified' },
  { cidr: '::1/128', source: 'RFC 4291', what: 'loopback' },
  { cidr: '::/96', source: 'RFC 4291', what: 'IPv4-compatible, deprecated' },
  { cidr: '::ffff:0:0:0/96', source: 'RFC 2765', what: 'IPv4-translated' },
  { cidr: '64:ff9b:1::/48', source: 'RFC 8215', what: 'local NAT64' },
  { cidr: '100::/64', source: 'RFC 6666', what: 'discard only' },
  { cidr: '2001::/23', source: 'RFC 2928', what: 'protocol assignments: Teredo, ORCHID and others' },
  { cidr: '2001:db8::/32', source: 'RFC 3849', what: 'documentation' },
  { cidr: '2002::/16', source: 'RFC 7526', what: 'former 6to4' },
  { cidr: '3fff::/20', source: 'RFC 9637', what: 'documentation' },
  { cidr: '5f00::/16', source: 'RFC 9602', what: 'segment identifiers' },
  { cidr: 'fc00::/7', source: 'RFC 4193', what: 'unique local' },
  { cidr: 'fe80::/10', source: 'RFC 4291', what: 'link local' },
  { cidr: 'fec0::/10', source: 'RFC 3879', what: 'former site local' },
  { cidr: 'ff00::/8', source: 'RFC 4291', what: 'multicast' },
  { cidr: '::/3', source: 'RFC 4291', what: 'not global unicast' },
  { cidr: '4000::/2', source: 'RFC 4291', what: 'not global unicast' },
  { cidr: '8000::/1', source: 'RFC 4291', what: 'not global unicast' },
];

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Block = [Address, number];

/** The row that forbids an address (IPv4 or IPv6 text), or null when connecting is allowed. */
export type AddressGuard = (address: string) => ForbiddenRange | null;

const RANGES: readonly { block: Block; row: ForbiddenRange }[] = FORBIDDEN_RANGES.map((row) => ({
  block: ipaddr.parseCIDR(row.cidr),
  row,
}));
const V4_MAPPED: Block = ipaddr.parseCIDR('::ffff:0:0/96');
const NAT64: Block = ipaddr.parseCIDR('64:ff9b::/96');
const UNREADABLE: ForbiddenRange = { cidr: '', source: 'RFC 4291', what: 'not an address' };

/**
 * The guard against server-side request forgery. Callers pass the address they are about to connect to, whether it came from the DNS or
 * from a URL.
 *
 * @param allow CIDR blocks exempt from the table, from `network.allow`.
 */
export function createAddressGuard(allow: readonly string[]): AddressGuard {
  const exempt = allow.map((cidr): Block => ipaddr.parseCIDR(cidr));
  return (text) => {
    // Removes the brackets and the zone of an IPv6 address. The parser reads `::1.2.3.4` as `::ffff:1.2.3.4`, which is a different address.
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
