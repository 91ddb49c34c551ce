import type { SimulatedYear } from './simulate-year.ts';
import { DAY, type Sort } from './world.ts';

/** How often the hosts of a sort that had no trouble were visited, against what the cadence table comes to. */
export interface SortVisits {
  sort: Sort;
  hosts: number;
  perDay: number;
  /** By the table: hours between visits, doubling where it doubles. */
  expectedPerDay: number;
}

/** Hours from one visit to the next, by the table of the design; the last one repeats. */
const HOURS: Readonly<Partial<Record<Sort, readonly number[]>>> = {
  loops: [6],
  other: [168],
  unidentified: [168, 336, 672, 720],
  parked: [168, 336, 672, 720],
  alias: [720],
  nxdomain: [168, 336, 672, 720],
  robots: [720],
  // Seven failures and over seven days: dead, every 30 days.
  timeout: [3, 6, 12, 24, 48, 96, 720],
};

export function visitsPerDay({ world, told }: SimulatedYear, days: number): SortVisits[] {
  return (Object.entries(HOURS) as [Sort, readonly number[]][]).map(([sort, hours]) => {
    const hosts = world.hosts.filter((host) => host.sort === sort && host.troubles.length === 0);
    const visits = hosts.reduce((sum, { domain }) => sum + (told.get(domain)?.length ?? 0), 0);
    return {
      sort,
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
    const wait = hours[Math.min(visits, hours.length - 1)] ?? 1;
    at += wait * 3_600_000;
    visits++;
  }
  return visits;
}
