/** An address block that no crawl may connect to, and the document that takes it out of the public internet. */
export interface ForbiddenRange {
  cidr: string;
  source: string;
  what: string;
}

/**
 * Every block that is not the public internet; the first that holds an address is the one that forbids it. A v4-mapped or NAT64
 * address is judged as the IPv4 address inside it. Of IPv6, what is not global unicast is forbidden whole, named or not.
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
