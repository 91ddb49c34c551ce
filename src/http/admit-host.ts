import { isIP } from 'node:net';
import type { AddressGuard } from './address-guard.ts';
import type { HttpFailure } from './failure.ts';
import type { HostAddress, Resolver } from './resolver.ts';

/** Judges the addresses that a URL leads to, before anything is sent, and pins them: they are what is connected to. */
export async function admitHost(
  url: URL,
  pinned: Map<string, readonly HostAddress[]>,
  guard: AddressGuard,
  resolver: Resolver,
): Promise<readonly HostAddress[] | HttpFailure> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const known = pinned.get(host);
  if (known !== undefined) return known;
  const family = isIP(host);
  if (family !== 0) {
    if (guard(host) !== null) return 'forbidden-address';
    const literal: HostAddress[] = [{ address: host, family: family === 4 ? 4 : 6 }];
    pinned.set(host, literal);
    return literal;
  }
  const resolution = await resolver.resolve(host);
  if (!resolution.ok) return resolution.failure;
  if (resolution.addresses.some(({ address }) => guard(address) !== null)) return 'forbidden-address';
  const most = mostAddresses(resolution.addresses);
  pinned.set(host, most);
  return most;
}

/** So many addresses of a family are used of a host: a name may have thousands, and each costs a connection that may be refused. */
const MOST_OF_A_FAMILY = 8;

/** The addresses that a visit goes to, of those that a name has, in their order. All of them are to be judged before. */
export function mostAddresses(addresses: readonly HostAddress[]): readonly HostAddress[] {
  if (addresses.length <= MOST_OF_A_FAMILY) return addresses;
  const count = { 4: 0, 6: 0 };
  return addresses.filter(({ family }) => ++count[family] <= MOST_OF_A_FAMILY);
}
