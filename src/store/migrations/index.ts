import type { Migration } from 'kysely/migration';
import * as domainsAndVisits from './0001-domains-and-visits.ts';
import * as hostsAndRobots from './0002-hosts-and-robots.ts';
import * as registrableDomains from './0003-registrable-domains.ts';
import * as history from './0004-history.ts';
import * as dueLines from './0005-due-lines.ts';
import * as moments from './0006-moments.ts';
import * as sources from './0007-sources.ts';
import * as optOuts from './0008-opt-outs.ts';
import * as noindexWays from './0009-noindex-ways.ts';

/** Every migration in order. A published migration is never edited; the next one is added below it. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-domains-and-visits': domainsAndVisits,
  '0002-hosts-and-robots': hostsAndRobots,
  '0003-registrable-domains': registrableDomains,
  '0004-history': history,
  '0005-due-lines': dueLines,
  '0006-moments': moments,
  '0007-sources': sources,
  '0008-opt-outs': optOuts,
  '0009-noindex-ways': noindexWays,
};
