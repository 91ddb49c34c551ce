import type { EpochMs } from '../model/time.ts';
import type { DataPackage, DataResource } from './schema/data-package.ts';

/** A file of the last export. */
export interface DataFile extends Omit<DataResource, 'name' | 'hash'> {
  readonly writtenAt: EpochMs;
  /** The size of its copy `PATH.gz`; null when it has none. */
  readonly compressedBytes: number | null;
}

/** What the last export left in its folder. */
export interface DataFolder {
  readonly dataPackage: DataPackage;
  /** Every file of the manifest but schemas and compressed copies, and the manifest. */
  readonly files: readonly DataFile[];
  /** The days of the first and the last data, as `2026-01-31/2026-11-27`; null when unknown. */
  readonly span: string | null;
  /** The dated files, oldest first. */
  readonly dated: readonly { readonly date: string; readonly name: string; readonly sha256: string }[];
}
