import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Month, monthAfter, startOf } from '../../model/month.ts';
import type { IsHidden } from '../../model/opt-outs/opted-out-references.ts';
import { DAY_MS, type EpochMs } from '../../model/time.ts';
import type { StoreQueries } from '../../store/store-reader.ts';
import { RowCount } from '../datasets/dataset.ts';
import type { PublishedManifest } from '../files/published-file.ts';
import type { Staging } from '../files/staging.ts';
import type { ManifestFile } from '../schema/manifest.ts';
import { parquetBytes } from '../tables/parquet-bytes.ts';
import { filesOfMonth, monthOfFile, type Partitioned } from './partitioned.ts';
import { csvGzip, csvGzipOf, namesHidden, parquetBytesOf, publishedRows } from './published-rows.ts';

/** The months that an export writes: `all`, `rewrite-unfinished` (those not yet published as complete) or `only-missing` (those not published at all). */
export type Months = 'all' | 'rewrite-unfinished' | 'only-missing';

export interface MonthsOptions {
  readonly staging: Staging;
  readonly source: StoreQueries;
  /** See `ExportOptions`. */
  readonly visitsKeptSince: number;
  readonly published: PublishedManifest;
  readonly months: Months;
  readonly isHidden: IsHidden;
  readonly dir: string;
  /** Time of the exported state. */
  readonly at: EpochMs;
}

/** Visits are recorded when they end, so a month is complete one day after its end. */
const GRACE_MS = DAY_MS;

/** Stages the files of the months that must be written. Returns the manifest entries of all months, unchanged ones included. */
export async function stageMonths(dataset: Partitioned, options: MonthsOptions): Promise<ManifestFile[]> {
  const { source, published } = options;
  const publishedMonths = published.names().map((name) => monthOfFile(dataset.name, name));
  const months = new Set([...publishedMonths.filter((month) => month !== null), ...dataset.months(source)]);
  const files: ManifestFile[] = [];
  for (const month of [...months].sort()) files.push(...(await stageMonth(dataset, month, options)));
  return files;
}

async function stageMonth(dataset: Partitioned, month: Month, options: MonthsOptions): Promise<ManifestFile[]> {
  const { published, months, isHidden, dir, visitsKeptSince } = options;
  const { parquet, csv } = filesOfMonth(dataset.name, month);
  const existing = [published.findIntact(parquet), published.findIntact(csv)].filter((file) => file !== null);
  const isPublished = existing.length === 2;
  if (isPublished && months === 'only-missing') return existing;

  const mayLackRows = dataset.isRetentionLimited && startOf(month) < visitsKeptSince;
  const isComplete = isPublished && existing.every((file) => file.isComplete === true);
  const mustRebuild = !mayLackRows && (months === 'all' || !isComplete);
  if (mustRebuild) return stageRows(dataset, month, options);
  if (!mayLackRows) {
    return (await namesHidden(dataset.columns, join(dir, csv), isHidden))
      ? stageRows(dataset, month, options)
      : existing;
  }
  // Visits of such a month may have been deleted, so it is rebuilt from its published files.
  if (!existsSync(join(dir, csv))) return [];
  const isClean = isPublished && !(await namesHidden(dataset.columns, join(dir, csv), isHidden));
  return isClean ? existing : stagePublished(dataset, month, options);
}

async function stageRows(dataset: Partitioned, month: Month, options: MonthsOptions): Promise<ManifestFile[]> {
  const { staging, source } = options;
  const { columns, schema, name } = dataset;
  const { parquet, csv } = filesOfMonth(name, month);
  if (isEmpty(dataset.rows(source, month))) return [];
  const more = { isComplete: startOf(monthAfter(month)) + GRACE_MS <= options.at };
  const count = new RowCount();
  const bytes = parquetBytes(columns, count.of(dataset.rows(source, month)));
  const staged = await staging.add(parquet, schema, bytes, more);
  const rows = { rows: count.rows ?? 0 };
  return [
    { ...staged, ...rows },
    { ...(await staging.add(csv, schema, csvGzip(columns, dataset.rows(source, month)), more)), ...rows },
  ];
}

/** Rewrites a month from its published CSV file without the hidden domains: its visits may have been deleted. */
async function stagePublished(dataset: Partitioned, month: Month, options: MonthsOptions): Promise<ManifestFile[]> {
  const { staging, dir, isHidden, at } = options;
  const { columns, schema, name } = dataset;
  const { parquet, csv } = filesOfMonth(name, month);
  const rows = () => publishedRows(columns, join(dir, csv), isHidden);
  const more = { isComplete: startOf(monthAfter(month)) + GRACE_MS <= at };
  const count = new RowCount();
  const staged = await staging.add(parquet, schema, parquetBytesOf(columns, count.ofAsync(rows())), more);
  const counted = { rows: count.rows ?? 0 };
  return [
    { ...staged, ...counted },
    { ...(await staging.add(csv, schema, csvGzipOf(columns, rows()), more)), ...counted },
  ];
}

function isEmpty(rows: Iterable<unknown>): boolean {
  for (const _ of rows) return false;
  return true;
}
