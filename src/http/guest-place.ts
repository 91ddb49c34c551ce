import type { HostAddress } from './resolver.ts';

/**
 * Asks for a place at addresses that are not those of the visited host, so that many visits which all lead to one host
 * elsewhere do not meet there at once. Resolves with what gives the place back, which is called once; never rejects.
 */
export type AdmitGuest = (addresses: readonly HostAddress[]) => Promise<() => void>;

/** For a visit that is alone: every guest is admitted at once. */
export const ADMIT_ALL: AdmitGuest = async () => () => undefined;

/**
 * Waits for a place as long as the visit may last. Null when it ended first; a place that is granted after that is given
 * back at once.
 *
 * @param closed resolves when the visit is given up.
 */
export async function waitForPlace(
  granted: Promise<() => void>,
  closed: Promise<null>,
  patienceMs: number,
): Promise<(() => void) | null> {
  const { promise: tooLate, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), patienceMs);
  try {
    const leave = await Promise.race([granted, closed, tooLate]);
    if (leave === null) void granted.then((giveBack) => giveBack());
    return leave;
  } finally {
    clearTimeout(timer);
  }
}
