import type { SimulatedYear } from './simulate-year.ts';
import { DAY, HOUR, type HostKind } from './world.ts';

/** Visits per day to one host of a kind, averaged over the hosts without disruptions. */
export interface KindVisits {
  kind: HostKind;
  hosts: number;
  perDay: number;
  /** Derived from the intervals of the kind, including their doubling. */
  expectedPerDay: number;
}

/** Hours between visits with the default cadence; the last value repeats. */
const HOURS: Readonly<Partial<Record<HostKind, readonly number[]>>> = {
  loops: [6],
  other: [168],
  unidentified: [168, 336, 672, 720],
  parked: [168, 336, 672, 720],
  alias: [720],
  nxdomain: [168, 336, 672, 720],
  robots: [720],
  // After the seventh failure, 189 h after the first, the domain is dead and visited every 30 days.
  timeout: [3, 6, 12, 24, 48, 96, 720],
};

export function visitsPerDay({ world, visitLog }: SimulatedYear, days: number): KindVisits[] {
  return (Object.entries(HOURS) as [HostKind, readonly number[]][]).map(([kind, hours]) => {
    const hosts = world.hosts.filter((host) => host.kind === kind && host.disruptions.length === 0);
    const visits = hosts.reduce((sum, { domain }) => sum + (visitLog.get(domain)?.length ?? 0), 0);
    return {
      kind,
      hosts: hosts.length,
      perDay: visits / hosts.length / days,
      expectedPerDay: expectedVisits(hours, days) / days,
    };
  });
}

function expectedVisits(hours: readonly number[], days: number): number {
  let at = 0;
  let visits = 0;
  while (at < days * DAY) {
    const waitHours = hours[Math.min(visits, hours.length - 1)] ?? 1;
    at += waitHours * HOUR;
    visits++;
  }
  return visits;
}
