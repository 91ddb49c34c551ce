import { isoTime, jsonLine } from '../../directory/formatting.ts';
import { DomainLine } from '../../directory/schema/domain-line.ts';
import { schemaPath } from '../../directory/schema/fields.ts';
import { MembershipLine } from '../../directory/schema/membership-line.ts';
import { mayBePublished } from '../../model/domain-record.ts';
import { type IsHidden, unlessHidden } from '../../model/opt-outs/opted-out-references.ts';
import type { KnownDomain, StoreQueries } from '../../store/store-reader.ts';
import type { Chunk } from '../files/blocks.ts';
import { columnsOf } from '../tables/column.ts';
import type { Dataset, ExportRun, Tallies } from './dataset.ts';
import { table } from './table.ts';

/** One line or row per known domain, in three formats; the first one collects what later datasets use. */
export const domains: readonly Dataset[] = [
  { name: 'domains.ndjson', schema: schemaPath('domains'), chunks: domainsText },
  ...table('domains', 'domains', columnsOf(DomainLine), (source) =>
    Iterator.from(source.domains())
      .map((record) => domainLineOf(record, source.isHidden))
      .filter((line) => line !== null),
  ),
];

/** One row per source and domain that it has ever listed. */
export const memberships = table('memberships', 'memberships', columnsOf(MembershipLine), membershipLines);

function* membershipLines(source: StoreQueries): Iterable<MembershipLine> {
  for (const record of source.domains()) {
    if (!mayBePublished(record)) continue;
    for (const { source: name, firstAt, lastAt } of record.listedBy)
      yield { domain: record.domain, source: name, firstListed: isoTime(firstAt), lastListed: isoTime(lastAt) };
  }
}

function* domainsText(source: StoreQueries, tallies: Tallies, { counted }: ExportRun): Iterable<Chunk> {
  for (const line of counted(linesOf(source, tallies))) yield `${jsonLine(line)}\n`;
}

function* linesOf(source: StoreQueries, tallies: Tallies): Iterable<DomainLine> {
  for (const record of source.domains()) {
    const line = domainLineOf(record, source.isHidden);
    if (line === null) {
      tallies.noindex.add(record.domain);
      continue;
    }
    tallies.domains.add(line);
    if (line.lastVisit !== null && line.lastVisit > (tallies.lastVisit ?? '')) tallies.lastVisit = line.lastVisit;
    yield line;
  }
}

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
