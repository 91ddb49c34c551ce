import { isIP } from 'node:net';
import type { AddressGuard } from './address-guard.ts';
import type { HttpFailure } from './failure.ts';
import { mostAddresses } from './most-addresses.ts';
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
