import type { HostAddress } from './resolver.ts';

/** So many addresses of a family are used of a host: a name may have thousands, and each costs a connection that may be refused. */
const MOST_OF_A_FAMILY = 8;

/** The addresses that a visit goes to, of those that a name has, in their order. All of them are to be judged before. */
export function mostAddresses(addresses: readonly HostAddress[]): readonly HostAddress[] {
  if (addresses.length <= MOST_OF_A_FAMILY) return addresses;
  const count = { 4: 0, 6: 0 };
  return addresses.filter(({ family }) => ++count[family] <= MOST_OF_A_FAMILY);
}
