import type { DomainRecord } from '../record/domain-record.ts';
import { mayBePublished } from '../record/may-be-published.ts';
import type { ExportSource } from './export-source.ts';
import { isoTime } from './iso-time.ts';
import { namedDomain } from './named-domain.ts';
import type { DomainLine } from './schema/domain-line.ts';

/**
 * A known domain as it is published; null for one that opted out or asks not to be published, which is not. Keys are in the
 * published order, so that equal records give equal bytes.
 */
export function domainLineOf(record: DomainRecord, isWithheld: ExportSource['isWithheld']): DomainLine | null {
  if (!mayBePublished(record)) return null;
  return {
    domain: record.domain,
    verdict: record.verdict,
    reason: record.reason,
    via: record.via,
    software: record.software,
    version: record.version,
    aliasOf: namedDomain(record.aliasOf, isWithheld),
    state: record.state,
    firstSeen: isoTime(record.firstSeen),
    lastVisit: isoTime(record.lastVisit),
    lastSeen: isoTime(record.lastSeen),
    nextVisit: isoTime(record.nextVisit),
  };
}
