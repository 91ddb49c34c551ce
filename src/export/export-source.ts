import type { DomainRecord } from '../record/domain-record.ts';
import type { InstanceRecord } from '../record/instance-record.ts';

/**
 * What an export reads. Each call iterates from the start, sorted by domain in binary order, one row in memory at a
 * time. All iterations must see one and the same state of the data (one read transaction): the files of an export
 * are published as one set, and `instances` is read twice.
 */
export interface ExportSource {
  /** Every known domain. */
  domains(): Iterable<DomainRecord>;
  /** The listed instances. */
  instances(): Iterable<InstanceRecord>;
}
