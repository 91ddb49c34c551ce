import { isIP } from 'node:net';
import type { Domain } from '../model/domain/domain.ts';
import type { AddressGuard } from './address-guard.ts';
import type { HttpFailure } from './failure.ts';
import type { HostAddress, Resolver } from './resolver.ts';

/** Whether who answers at a URL asked to be left alone. Asked before every request of every hop, so it must be cheap. */
export type OptOutGuard = (url: URL) => boolean;

/** What is about nobody's opt-out, such as a check of one's own server. */
export const NO_OPT_OUTS: OptOutGuard = () => false;

/** What stands in words in the place of a host that is not to be named. */
export const UNNAMED_HOST = 'a host that is not asked';

/** @param isOptedOut of a host, with a port other than 443 or without, as a Domain has it. */
export function createOptOutGuard(isOptedOut: (host: string) => boolean): OptOutGuard {
  return ({ protocol, hostname, port }) => {
    // The root label, if it is written, is the same host (RFC 1034 section 3.1).
    const host = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
    const actual = port === '' && protocol === 'http:' ? '80' : port;
    return isOptedOut(actual === '' || actual === '443' ? host : `${host}:${actual}`);
  };
}

/**
 * Whether a host that the visited one leads to may be asked now. Asked once before it is, so that who hands in domains can not send visit
 * after visit to a host of somebody else's. A host that may not be asked is named in no step.
 */
export type MayContactHost = (url: URL, visited: Domain) => boolean;

/** Every visit may: guests have places at their addresses, and visits their cadence. */
export const ALLOW_ALL_HOSTS: MayContactHost = () => true;

/**
 * Asks for a place at addresses that are not those of the visited host, so that many visits which all lead to one host
 * elsewhere do not meet there at once. These places are apart from those of visits, whose holders would wait for each other: at one
 * address, as many guests may be as visits, and besides them. Resolves with what gives the place back, which is called once; never rejects.
 */
export type AdmitThirdParty = (addresses: readonly HostAddress[]) => Promise<() => void>;

/** For a visit that is alone: every guest is admitted at once. */
export const ADMIT_IMMEDIATELY: AdmitThirdParty = async () => () => undefined;

/**
 * Waits for a place, however long: it is we who throttle, and each that holds one gives it back. Null when the visit is given up
 * first; a place that is granted after that is given back at once.
 *
 * @param closed resolves when the visit is given up.
 */
export async function waitForSlot(granted: Promise<() => void>, closed: Promise<null>): Promise<(() => void) | null> {
  const leave = await Promise.race([granted, closed]);
  if (leave === null) void granted.then((giveBack) => giveBack());
  return leave;
}

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
  const most = limitAddresses(resolution.addresses);
  pinned.set(host, most);
  return most;
}

/** So many addresses of a family are used of a host: a name may have thousands, and each costs a connection that may be refused. */
const MOST_OF_A_FAMILY = 8;

/** The addresses that a visit goes to, of those that a name has, in their order. All of them are to be judged before. */
export function limitAddresses(addresses: readonly HostAddress[]): readonly HostAddress[] {
  if (addresses.length <= MOST_OF_A_FAMILY) return addresses;
  const count = { 4: 0, 6: 0 };
  return addresses.filter(({ family }) => ++count[family] <= MOST_OF_A_FAMILY);
}
