import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Month, monthAfter, startOf } from '../../model/month.ts';
import type { IsHidden } from '../../model/opt-outs/opted-out-references.ts';
import { DAY_MS, type EpochMs } from '../../model/time.ts';
import type { StoreReader } from '../../store/store-reader.ts';
import type { PublishedManifest } from '../files/published-file.ts';
import type { Staging } from '../files/staging.ts';
import type { ManifestFile } from '../schema/manifest.ts';
import { csv, parquet, TableWriter } from '../tables/table-writer.ts';
import { filesOfMonth, monthOfFile, type Partitioned } from './partitioned.ts';
import { namesHidden, publishedRows } from './published-rows.ts';

/** The months that an export writes: `all`, `rewrite-unfinished` (those not yet published as complete) or `only-missing` (those not published at all). */
export type Months = 'all' | 'rewrite-unfinished' | 'only-missing';

export interface MonthsOptions {
  readonly staging: Staging;
  readonly source: StoreReader;
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
  const names = filesOfMonth(dataset.name, month);
  const csvFile = join(dir, names.csv);
  const existing = [published.findIntact(names.parquet), published.findIntact(names.csv)].filter(
    (file) => file !== null,
  );
  const isPublished = existing.length === 2;
  if (isPublished && months === 'only-missing') return existing;

  const mayLackRows = dataset.isRetentionLimited && startOf(month) < visitsKeptSince;
  const isComplete = isPublished && existing.every((file) => file.isComplete === true);
  const mustRebuild = !mayLackRows && (months === 'all' || !isComplete);
  if (mustRebuild) return stageRows(dataset, month, options);
  if (!mayLackRows) {
    return (await namesHidden(dataset.columns, csvFile, isHidden)) ? stageRows(dataset, month, options) : existing;
  }
  // Visits of such a month may have been deleted, so it is rebuilt from its published files.
  if (!existsSync(csvFile)) return [];
  const isClean = isPublished && !(await namesHidden(dataset.columns, csvFile, isHidden));
  return isClean ? existing : stagePublished(dataset, month, options);
}

async function stageRows(dataset: Partitioned, month: Month, options: MonthsOptions): Promise<ManifestFile[]> {
  const { staging, source, at } = options;
  if (isEmpty(dataset.rows(source, month))) return [];
  const { files, table } = tableOf(dataset, month, at);
  return await staging.addAll(files, table.write(dataset.rows(source, month)));
}

/** Rewrites a month from its published CSV file without the hidden domains: its visits may have been deleted. */
async function stagePublished(dataset: Partitioned, month: Month, options: MonthsOptions): Promise<ManifestFile[]> {
  const { staging, dir, isHidden, at } = options;
  const { files, table } = tableOf(dataset, month, at);
  const path = join(dir, filesOfMonth(dataset.name, month).csv);
  return await staging.addAll(files, table.writeAsync(publishedRows(dataset.columns, path, isHidden)));
}

function tableOf({ name, schema, columns }: Partitioned, month: Month, at: EpochMs) {
  const names = filesOfMonth(name, month);
  const common = { schema, isComplete: startOf(monthAfter(month)) + GRACE_MS <= at };
  return {
    files: [
      { name: names.parquet, ...common },
      { name: names.csv, gzip: true, ...common },
    ],
    table: new TableWriter([parquet(columns), csv(columns)]),
  };
}

function isEmpty(rows: Iterable<unknown>): boolean {
  for (const _ of rows) return false;
  return true;
}
