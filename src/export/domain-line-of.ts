import type { DomainRecord } from '../record/domain-record.ts';
import { isoTime } from './iso-time.ts';
import type { DomainLine } from './schema/domain-line.ts';

/**
 * A known domain as it is published; null for one that opted out or asks not to be published, which is not. Keys are in the
 * published order, so that equal records give equal bytes.
 */
export function domainLineOf(record: DomainRecord): DomainLine | null {
  if (record.state === 'opted-out' || record.host.noindex === true) return null;
  return {
    domain: record.domain,
    verdict: record.verdict,
    reason: record.reason,
    via: record.via,
    software: record.software,
    version: record.version,
    aliasOf: record.aliasOf,
    state: record.state,
    firstSeen: isoTime(record.firstSeen),
    lastVisit: isoTime(record.lastVisit),
    lastSeen: isoTime(record.lastSeen),
    nextVisit: isoTime(record.nextVisit),
  };
}
