import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Month, monthAfter, startOf } from '../../model/month.ts';
import type { ExportSource } from '../../views/export-source.ts';
import type { PublishedManifest } from '../files/published-file.ts';
import type { Staging } from '../files/staging.ts';
import type { ManifestFile } from '../schema/manifest.ts';
import { parquetBytes } from '../tables/parquet-bytes.ts';
import { filesOfMonth, monthOfFile, type Partitioned } from './partitioned.ts';
import { csvGzip, csvGzipOf, holdsAny, parquetBytesOf, rowsWithout } from './rows-without.ts';
import type { WithheldNames } from './withheld-names.ts';

/**
 * Which months an export writes: `all`; `unfinished`, those that are not complete under their names; `missing`, those that are not
 * there at all.
 */
export type Months = 'all' | 'unfinished' | 'missing';

export interface MonthsOptions {
  readonly staging: Staging;
  readonly source: ExportSource;
  readonly published: PublishedManifest;
  readonly months: Months;
  readonly withheld: WithheldNames;
  readonly dir: string;
  /** The time that the source is of, milliseconds since the epoch. */
  readonly at: number;
}

/** Visits are recorded when they end: a month is complete when it has been over for a day. */
const GRACE_MS = 24 * 3_600_000;

/** Stages the files of every month of a dataset, and lists those that stay as they are. */
export async function stageMonths(dataset: Partitioned, options: MonthsOptions): Promise<ManifestFile[]> {
  const { source, published } = options;
  const listed = published.names().map((name) => monthOfFile(dataset.name, name));
  const months = new Set([...listed.filter((month) => month !== null), ...dataset.months(source)]);
  const files: ManifestFile[] = [];
  for (const month of [...months].sort()) files.push(...(await stageMonth(dataset, month, options)));
  return files;
}

async function stageMonth(dataset: Partitioned, month: Month, options: MonthsOptions): Promise<ManifestFile[]> {
  const { published, months, withheld, dir, source } = options;
  const { parquet, csv } = filesOfMonth(dataset.name, month);
  const kept = [published.intact(parquet), published.intact(csv)].filter((file) => file !== null);
  const isThere = kept.length === 2;
  if (isThere && months === 'missing') return kept;

  const retainedSince = dataset.retainedSince(source);
  const isThrownAway = retainedSince !== null && startOf(month) < retainedSince;
  const isComplete = isThere && kept.every((file) => file.isComplete === true);
  const isLeft = isThrownAway || (months !== 'all' && isComplete);
  if (!isLeft) return stageRows(dataset, month, options);
  if (!isThrownAway) {
    const isSafe = !(await holdsWithheld(dataset, join(dir, csv), withheld));
    return isSafe ? kept : stageRows(dataset, month, options);
  }
  // The months that are no longer stored have to be made from what was published of them.
  if (!existsSync(join(dir, csv))) return [];
  const isSafe = isThere && !(await holdsWithheld(dataset, join(dir, csv), withheld));
  return isSafe ? kept : stageAgain(dataset, month, options);
}

/** A file that cannot be read is taken for one that does. */
async function holdsWithheld(dataset: Partitioned, path: string, withheld: WithheldNames): Promise<boolean> {
  return await holdsAny(dataset.columns, path, withheld).catch(() => true);
}

async function stageRows(dataset: Partitioned, month: Month, options: MonthsOptions): Promise<ManifestFile[]> {
  const { staging, source } = options;
  const { columns, schema, name } = dataset;
  const { parquet, csv } = filesOfMonth(name, month);
  if (isEmpty(dataset.rows(source, month))) return [];
  const more = { isComplete: startOf(monthAfter(month)) + GRACE_MS <= options.at };
  return [
    await staging.add(parquet, schema, parquetBytes(columns, dataset.rows(source, month)), more),
    await staging.add(csv, schema, csvGzip(columns, dataset.rows(source, month)), more),
  ];
}

/** Writes a month that is thrown away once more, without what has to be withheld. */
async function stageAgain(dataset: Partitioned, month: Month, options: MonthsOptions): Promise<ManifestFile[]> {
  const { staging, dir, withheld } = options;
  const { columns, schema, name } = dataset;
  const { parquet, csv } = filesOfMonth(name, month);
  const rows = () => rowsWithout(columns, join(dir, csv), withheld);
  const more = { isComplete: true };
  return [
    await staging.add(parquet, schema, parquetBytesOf(columns, rows()), more),
    await staging.add(csv, schema, csvGzipOf(columns, rows()), more),
  ];
}

function isEmpty(rows: Iterable<unknown>): boolean {
  for (const _ of rows) return false;
  return true;
}
