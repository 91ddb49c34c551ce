import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Domain } from '../../model/domain/domain.ts';
import type { DomainRecord } from '../../model/domain-record.ts';
import type { NoindexSignal } from '../../model/facts/host-facts.ts';
import type { DomainsTable } from '../schema/tables.ts';
import type { Compiler, QueryParameter } from '../sqlite/prepare.ts';

/** The columns of `domains` that hold a DomainRecord. */
export const domainColumns = [
  'domain',
  'state',
  'state_since',
  'state_why',
  'verdict',
  'reason',
  'identified_as',
  'was_ever_loops',
  'via',
  'software',
  'version',
  'alias_of',
  'first_seen',
  'last_visit',
  'last_seen',
  'next_visit',
  'next_visit_why',
  'failures',
  'failing_since',
  'consecutive_same_outcome',
  'ipv4',
  'ipv6',
  'address',
  'country',
  'asn',
  'network',
  'behind',
  'tls_expires',
  'noindex',
  'noindex_by',
  'canonical_host',
] as const satisfies readonly (keyof DomainsTable)[];

export type DomainColumns = Pick<Selectable<DomainsTable>, (typeof domainColumns)[number]>;

/** {@link domainColumns} with the name of the table, for joins. */
export const qualifiedDomainColumns = domainColumns.map((column) => `domains.${column}` as const);

/** The id of a domain, for a condition. */
export const idOf = <Parameters extends { domain: Domain }>(db: Compiler, parameter: QueryParameter<Parameters>) =>
  db
    .selectFrom('domains')
    .select('id')
    .where('domain', '=', (parameter as QueryParameter<{ domain: Domain }>)('domain'));

/** A host without and with `www.`, as `optOutScopeOf` gives them. */
export type NamesOfHost = { bare: string; withWww: string };

/** Whether a row of `domains` is one of the names of a host, with or without a port. Names with a port sort between `HOST:` and `HOST;`. */
export function isNameOf<Parameters extends NamesOfHost>(parameter: QueryParameter<Parameters>): RawBuilder<boolean> {
  const [bare, withWww] = [parameter('bare'), parameter('withWww')];
  return sql<boolean>`(domain in (${bare}, ${withWww}) or domain > ${bare} || ':' and domain < ${bare} || ';'
    or domain > ${withWww} || ':' and domain < ${withWww} || ';')`;
}

/** The columns that an update of a domain sets. */
export const updatedColumns = domainColumns.filter((column) => column !== 'domain');

export function toDomainRecord(row: DomainColumns): DomainRecord {
  return {
    domain: row.domain,
    state: row.state,
    stateSince: row.state_since,
    stateWhy: row.state_why,
    verdict: row.verdict,
    reason: row.reason,
    identifiedAs: row.identified_as,
    wasEverLoops: row.was_ever_loops === 1,
    via: row.via,
    software: row.software,
    version: row.version,
    aliasOf: row.alias_of,
    firstSeen: row.first_seen,
    lastVisit: row.last_visit,
    lastSeen: row.last_seen,
    nextVisit: row.next_visit,
    nextVisitWhy: row.next_visit_why,
    failures: row.failures,
    failingSince: row.failing_since,
    consecutiveSameOutcome: row.consecutive_same_outcome,
    host: {
      ipv4: toBoolean(row.ipv4),
      ipv6: toBoolean(row.ipv6),
      address: row.address,
      hosting: { country: row.country, asn: row.asn, network: row.network, behind: row.behind },
      tlsExpires: row.tls_expires,
      noindex: toBoolean(row.noindex),
      ...(row.noindex_by === null ? {} : { noindexBy: row.noindex_by.split(' ') as NoindexSignal[] }),
      canonicalHost: row.canonical_host,
    },
  };
}

export function toDomainColumns(record: DomainRecord): DomainColumns {
  return {
    domain: record.domain,
    state: record.state,
    state_since: record.stateSince,
    state_why: record.stateWhy,
    verdict: record.verdict,
    reason: record.reason,
    identified_as: record.identifiedAs,
    was_ever_loops: record.wasEverLoops ? 1 : 0,
    via: record.via,
    software: record.software,
    version: record.version,
    alias_of: record.aliasOf,
    first_seen: record.firstSeen,
    last_visit: record.lastVisit,
    last_seen: record.lastSeen,
    next_visit: record.nextVisit,
    next_visit_why: record.nextVisitWhy,
    failures: record.failures,
    failing_since: record.failingSince,
    consecutive_same_outcome: record.consecutiveSameOutcome,
    ipv4: fromBoolean(record.host.ipv4),
    ipv6: fromBoolean(record.host.ipv6),
    address: record.host.address,
    ...record.host.hosting,
    tls_expires: record.host.tlsExpires,
    noindex: fromBoolean(record.host.noindex),
    noindex_by: record.host.noindexBy?.join(' ') || null,
    canonical_host: record.host.canonicalHost,
  };
}

function toBoolean(value: number | null): boolean | null {
  return value === null ? null : value === 1;
}

function fromBoolean(value: boolean | null): number | null {
  return value === null ? null : Number(value);
}
