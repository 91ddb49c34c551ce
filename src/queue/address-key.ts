/** NAT64 (RFC 6052): every address of IPv4 is under this one prefix. */
const NAT64 = '64:ff9b:0:0';

/**
 * What the places of an address are counted under: the address, but of IPv6 its /64, the least that a network is given
 * (RFC 6177), so that a host with a million addresses there is one.
 */
export function addressKey(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.toLowerCase().split('::');
  const first = head.split(':').filter((group) => group !== '');
  const last = tail?.split(':').filter((group) => group !== '') ?? [];
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0');
  const network = [...first, ...zeros, ...last].slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''));
  const key = network.join(':');
  return key === NAT64 ? address : `${key}::/64`;
}
