import { schemaPath } from '../../directory/schema/fields.ts';
import { whyUnidentified } from '../../model/facts/missing.ts';
import type { DailyUsage } from '../../model/facts/usage-sample.ts';
import type { Month } from '../../model/month.ts';
import { type IsHidden, unlessHidden } from '../../model/opt-outs/opted-out-references.ts';
import { isoTime } from '../../model/time.ts';
import type { VisitOutcome } from '../../model/visit.ts';
import type { StoreReader } from '../../store/store-reader.ts';
import { UsageLine } from '../schema/usage-line.ts';
import { VisitLine } from '../schema/visit-line.ts';
import { type Column, columnsOf, type Row } from '../tables/column.ts';

/** A dataset with two files per month: Parquet, and CSV compressed with gzip. */
export interface Partitioned {
  /** Name of the dataset, and of its folder in the export folder. */
  readonly name: 'visits' | 'usage';
  readonly schema: string;
  readonly columns: readonly Column[];
  months(source: StoreReader): readonly Month[];
  rows(source: StoreReader, month: Month): Iterable<Row>;
  /** Whether old rows are deleted (`retention.visitsDays`). */
  readonly isRetentionLimited: boolean;
}

export const partitioned: readonly Partitioned[] = [
  {
    name: 'visits',
    schema: schemaPath('visits'),
    columns: columnsOf(VisitLine),
    months: (source) => source.visits.months(),
    rows: (source, month) =>
      Iterator.from(source.visits.ofMonth(month)).map((visit) => visitLineOf(visit, source.optOuts.isHidden)),
    isRetentionLimited: true,
  },
  {
    name: 'usage',
    schema: schemaPath('usage'),
    columns: columnsOf(UsageLine),
    months: (source) => source.usage.months(),
    rows: (source, month) => Iterator.from(source.usage.ofMonth(month)).map(usageLineOf),
    isRetentionLimited: false,
  },
];

/** Paths in the export folder. */
export function filesOfMonth(name: Partitioned['name'], month: Month): { parquet: string; csv: string } {
  return { parquet: `${name}/${month}.parquet`, csv: `${name}/${month}.csv.gz` };
}

const MONTH_FILE = /^(visits|usage)\/(\d{4}-\d\d)\.csv\.gz$/;

/** The month of a CSV path; null when it does not belong to the dataset. */
export function monthOfFile(name: Partitioned['name'], path: string): Month | null {
  const [, folder, month] = MONTH_FILE.exec(path) ?? [];
  return folder === name ? (month as Month) : null;
}

function visitLineOf({ at, ...visit }: VisitOutcome, isHidden: IsHidden): VisitLine {
  return {
    ...visit,
    visitedAt: isoTime(at),
    missing: whyUnidentified(visit),
    aliasOf: unlessHidden(visit.aliasOf, isHidden),
    flags: visit.flags === null ? null : [...visit.flags],
  };
}

function usageLineOf({ at, ...usage }: DailyUsage): UsageLine {
  return { ...usage, visitedAt: isoTime(at) };
}
