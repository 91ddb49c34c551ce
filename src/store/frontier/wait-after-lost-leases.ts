const firstWaitMs = 1_000;
const longestWaitMs = 30 * 24 * 60 * 60 * 1_000;

/**
 * How long a domain waits, in milliseconds, after the given number of leases lost in a row. The first costs nothing,
 * because whatever else was being visited when a process died is innocent; from the second on the wait is 1 s and
 * doubles, up to 30 days, so that a host that kills its visitor cannot do so in a hot loop.
 */
export function waitAfterLostLeasesMs(leasesLost: number): number {
  return leasesLost < 2 ? 0 : Math.min(firstWaitMs * 2 ** (leasesLost - 2), longestWaitMs);
}
