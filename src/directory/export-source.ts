import type { StoreReader } from '../store/store-reader.ts';

/**
 * What an export reads. All iterations must see the same state of the data (one read transaction): the files of an export are published as
 * one set, and some rows are read twice. Domains that ask not to be published (`host.noindex`) appear only in `domains`; the export must
 * hide them.
 */
export type ExportSource = Pick<
  StoreReader,
  | 'domains'
  | 'isHidden'
  | 'optedOut'
  | 'lastRequest'
  | 'hasRequestSince'
  | 'optOutCount'
  | 'instances'
  | 'changes'
  | 'histories'
  | 'memberships'
  | 'visitMonths'
  | 'visits'
  | 'usageMonths'
  | 'usage'
>;
