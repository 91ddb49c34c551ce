import { isIP } from 'node:net';
import type { AddressGuard } from './address-guard.ts';
import type { HttpFailure } from './failure.ts';
import type { HostAddress, Resolver } from './resolver.ts';

export interface OptOuts {
  /** Whether the host of a URL has opted out. Asked before every request of every hop, so it must be cheap. */
  covers(url: URL): boolean;
}

/** For requests that ignore opt-outs, such as a check of one's own server. */
export const NO_OPT_OUTS: OptOuts = { covers: () => false };

/** Replaces the name of a host that steps and messages must not reveal. */
export const UNNAMED_HOST = 'a host that is not contacted';

/** @param optedOut has hosts, each with its port unless that is 443, in the form of a Domain. */
export function optOutsOf(optedOut: { has(host: string): boolean }): OptOuts {
  return {
    covers({ protocol, hostname, port }) {
      // A trailing dot (the root label) names the same host (RFC 1034 section 3.1).
      const host = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
      const effectivePort = port === '' && protocol === 'http:' ? '80' : port;
      return optedOut.has(effectivePort === '' || effectivePort === '443' ? host : `${host}:${effectivePort}`);
    },
  };
}

export interface ThirdPartySlots {
  /**
   * Waits for a slot at the addresses of a third-party host, so that many visits that all lead to one host do not reach it at once. These
   * slots are separate from those of visits, because sharing them would deadlock; their number per address is the same. Resolves with the
   * function that releases the slot, to be called once; never rejects.
   */
  admit(addresses: readonly HostAddress[]): Promise<() => void>;
}

/** For a single visit: every third-party host is admitted at once. */
export const UNLIMITED_SLOTS: ThirdPartySlots = { admit: async () => () => undefined };

/**
 * Waits for a slot without a time limit, because every holder releases its slot. Null when the visit is closed first; a slot granted
 * later is released at once.
 *
 * @param closed resolves when the visit is closed.
 */
export async function waitForSlot(granted: Promise<() => void>, closed: Promise<null>): Promise<(() => void) | null> {
  const release = await Promise.race([granted, closed]);
  if (release === null) void granted.then((releaseLate) => releaseLate());
  return release;
}

/** Resolves and judges the addresses of a URL's host before anything is sent, and pins them: connections go to these only. */
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
  const addresses = limitAddresses(resolution.addresses);
  pinned.set(host, addresses);
  return addresses;
}

/** A name may have thousands of addresses, and each may cost a refused connection. */
const MAX_PER_FAMILY = 8;

/** The addresses a visit uses, in the order given. The guard must have judged all of them before. */
export function limitAddresses(addresses: readonly HostAddress[]): readonly HostAddress[] {
  if (addresses.length <= MAX_PER_FAMILY) return addresses;
  const count = { 4: 0, 6: 0 };
  return addresses.filter(({ family }) => ++count[family] <= MAX_PER_FAMILY);
}
