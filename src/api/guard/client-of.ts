import ipaddr from 'ipaddr.js';

/** Who asks, as far as an address tells: an IPv4 address, or the first 64 bits of one of IPv6, since a customer has all below these. */
export function clientOf(address: string): string {
  if (!address.includes(':')) return address;
  if (!ipaddr.IPv6.isValid(address)) return address;
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  return parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
}
