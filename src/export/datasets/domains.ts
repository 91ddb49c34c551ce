import { DomainLine } from '../../directory/schema/domain-line.ts';
import { MembershipLine } from '../../directory/schema/membership-line.ts';
import { mayBePublished } from '../../model/domain-record.ts';
import { membershipOf } from '../../model/membership.ts';
import { type IsHidden, unlessHidden } from '../../model/opt-outs/opted-out-references.ts';
import { isoTime } from '../../model/time.ts';
import type { KnownDomain } from '../../store/domains/known-domains.ts';
import { columnsOf } from '../tables/column.ts';
import { csv, ndjson, parquet, TableWriter } from '../tables/table-writer.ts';
import { type Dataset, filesOf } from './dataset.ts';

const columns = columnsOf(DomainLine);
const membershipColumns = columnsOf(MembershipLine);

/** One row per known domain, and one per source and domain that it has ever listed. Collects what later datasets use. */
export const domains: Dataset = {
  files: [...filesOf('domains', ['ndjson', 'csv', 'parquet']), ...filesOf('memberships', ['csv', 'parquet'])],
  *parts(source, tallies) {
    const ofDomains = new TableWriter<DomainLine>({ 0: ndjson(), 1: csv(columns), 2: parquet(columns) });
    const ofSources = new TableWriter<MembershipLine>({ 3: csv(membershipColumns), 4: parquet(membershipColumns) });
    for (const record of source.domains.all()) {
      const line = domainLineOf(record, source.optOuts.isHidden);
      if (line === null) {
        tallies.noindex.add(record.domain);
        continue;
      }
      tallies.domains.add(line);
      if (line.lastVisit !== null && line.lastVisit > (tallies.lastVisit ?? '')) tallies.lastVisit = line.lastVisit;
      if (ofDomains.add(line)) yield* ofDomains.take();
      for (const listing of record.listedBy)
        if (ofSources.add({ domain: line.domain, ...membershipOf(listing) })) yield* ofSources.take();
    }
    yield* ofDomains.finish();
    yield* ofSources.finish();
  },
};

/**
 * A known domain as published; null when it asks not to be published. Keys are in the published order, so equal records give equal
 * bytes.
 */
export function domainLineOf(record: KnownDomain, isHidden: IsHidden): DomainLine | null {
  if (!mayBePublished(record)) return null;
  const { listedBy } = record;
  return {
    domain: record.domain,
    verdict: record.verdict,
    reason: record.reason,
    via: record.via,
    software: record.software,
    version: record.version,
    aliasOf: unlessHidden(record.aliasOf, isHidden),
    ...record.host.hosting,
    state: record.state,
    sources: listedBy.map(({ source }) => source),
    firstListed: listedBy.length === 0 ? null : isoTime(Math.min(...listedBy.map(({ firstAt }) => firstAt))),
    lastListed: listedBy.length === 0 ? null : isoTime(Math.max(...listedBy.map(({ lastAt }) => lastAt))),
    firstSeen: isoTime(record.firstSeen),
    lastVisit: isoTime(record.lastVisit),
    lastSeen: isoTime(record.lastSeen),
    nextVisit: isoTime(record.nextVisit),
  };
}
