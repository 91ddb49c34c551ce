import type { DomainRecord } from './domain-record.ts';
import type { DomainState } from './domain-state.ts';

/** Whether anything may be published of a domain: it has not opted out, and does not ask to be left out. */
export function mayBePublished<Known extends Pick<DomainRecord, 'state' | 'host'>>(
  record: Known,
): record is Known & { state: Exclude<DomainState, 'opted-out'> } {
  return record.state !== 'opted-out' && record.host.noindex !== true;
}
