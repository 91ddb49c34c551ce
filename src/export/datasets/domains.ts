import { isoTime, jsonLine } from '../../directory/formatting.ts';
import type { DomainLine } from '../../directory/schema/domain-line.ts';
import { schemaPath } from '../../directory/schema/fields.ts';
import { type DomainRecord, mayBePublished } from '../../model/domain-record.ts';
import { type IsHidden, unlessHidden } from '../../model/opt-outs/opted-out-references.ts';
import type { StoreQueries } from '../../store/store-reader.ts';
import type { Chunk } from '../files/blocks.ts';
import type { Dataset, ExportRun, Tallies } from './dataset.ts';

/** `domains.ndjson`: one line per known domain. */
export const domains: Dataset = { name: 'domains.ndjson', schema: schemaPath('domains'), chunks: domainsText };

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
export function domainLineOf(record: DomainRecord, isHidden: IsHidden): DomainLine | null {
  if (!mayBePublished(record)) return null;
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
    firstSeen: isoTime(record.firstSeen),
    lastVisit: isoTime(record.lastVisit),
    lastSeen: isoTime(record.lastSeen),
    nextVisit: isoTime(record.nextVisit),
  };
}
