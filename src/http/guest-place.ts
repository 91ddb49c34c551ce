import type { HostAddress } from './resolver.ts';

/**
 * Asks for a place at addresses that are not those of the visited host, so that many visits which all lead to one host
 * elsewhere do not meet there at once. These places are apart from those of visits, whose holders would wait for each other: at one
 * address, as many guests may be as visits, and besides them. Resolves with what gives the place back, which is called once; never rejects.
 */
export type AdmitGuest = (addresses: readonly HostAddress[]) => Promise<() => void>;

/** For a visit that is alone: every guest is admitted at once. */
export const ADMIT_ALL: AdmitGuest = async () => () => undefined;

/**
 * Waits for a place, however long: it is we who throttle, and each that holds one gives it back. Null when the visit is given up
 * first; a place that is granted after that is given back at once.
 *
 * @param closed resolves when the visit is given up.
 */
export async function waitForPlace(granted: Promise<() => void>, closed: Promise<null>): Promise<(() => void) | null> {
  const leave = await Promise.race([granted, closed]);
  if (leave === null) void granted.then((giveBack) => giveBack());
  return leave;
}
