import { COUNTS, FEATURES, HOSTING_NAMES, LIMITS } from '../../model/facts/fact-leaves.ts';
import type { StatsPoint } from '../schema/stats-file.ts';
import type { Measure, StatsRow } from '../schema/stats-row.ts';

/** The values of one day as rows, sorted by {@link compareStatsRows}. */
export function statsRowsOf(point: StatsPoint): StatsRow[] {
  const { day: date, instances: total, up, down, registration } = point;
  const rows: StatsRow[] = [];
  const add = (measure: Measure, reporting: number, values: readonly (readonly [StatsRow['key'], number | null])[]) => {
    for (const [key, value] of values) rows.push({ date, measure, key, value, reporting, total });
  };
  const addValues = (measure: Measure, { reporting, ...values }: { reporting: number; [key: string]: number | null }) =>
    add(measure, reporting, Object.entries(values));
  const addNames = (measure: Measure, { commonest, others, reporting }: StatsPoint['versions']) =>
    add(measure, reporting, [...commonest.map(({ name, instances }) => [name, instances] as const), [null, others]]);

  addValues('instances', { total, reporting: total });
  addValues('status', { up, down, reporting: total });
  addNames('version', point.versions);
  for (const { key, path } of HOSTING_NAMES) addNames(path, point.hosting[key]);
  addValues('registration.open', registration.open);
  addNames('registration.mode', registration.mode);
  addValues('federation', point.federation);
  for (const { key, path } of FEATURES) addValues(path, point.features[key]);
  for (const { key, path } of LIMITS) addValues(path, point.limits[key]);
  for (const { key, path } of COUNTS) addValues(path, point.usage[key]);
  return rows.sort(compareStatsRows);
}

type RowId = Pick<StatsRow, 'date' | 'measure' | 'key'>;

/** By date, measure and key, in the order of UTF-16 code units; the null key is last. */
export function compareStatsRows(one: RowId, other: RowId): number {
  if (one.date !== other.date) return one.date < other.date ? -1 : 1;
  if (one.measure !== other.measure) return one.measure < other.measure ? -1 : 1;
  if (one.key === other.key) return 0;
  if (one.key === null || other.key === null) return one.key === null ? 1 : -1;
  return one.key < other.key ? -1 : 1;
}
