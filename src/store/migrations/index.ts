import type { Migration } from 'kysely/migration';
import * as domainsAndVisits from './0001-domains-and-visits.ts';
import * as hostsAndRobots from './0002-hosts-and-robots.ts';
import * as registrableDomains from './0003-registrable-domains.ts';

/** Every migration in order. A published migration is never edited; the next one is added below it. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-domains-and-visits': domainsAndVisits,
  '0002-hosts-and-robots': hostsAndRobots,
  '0003-registrable-domains': registrableDomains,
};
