import { z } from 'zod';
import { dayOfIso, isoDay } from '../../directory/periods.ts';
import { Timeline } from '../../directory/schema/timeline.ts';
import { columnsOf } from '../../export/tables/column.ts';
import { csvText } from '../../export/tables/csv-text.ts';

const { day, share, coverage, responseMs } = Timeline.shape.days.element.shape;
const { from: _, ...counts } = Timeline.shape.counts.element.shape;
const Row = z.object({ day, ...counts, share, coverage, responseMs });
const columns = columnsOf(Row);
const UNKNOWN = Object.fromEntries(columns.map(({ name }) => [name, null]));

/**
 * What the charts of an instance are drawn from: a row for each day with counts, a share of uptime or a response time, oldest first. The
 * counts of a period, the last ones read in it, are those of its last day.
 */
export function timelineCsv({ days, counts }: Timeline): string {
  const rows = new Map<string, z.infer<typeof Row>>();
  const add = (day: string, values: Partial<z.infer<typeof Row>>) =>
    rows.set(day, { ...UNKNOWN, ...rows.get(day), ...values, day } as z.infer<typeof Row>);
  const today = days.at(-1)?.day;
  for (const [index, { from, ...values }] of counts.entries()) {
    const next = counts[index + 1]?.from;
    add(next === undefined ? (today ?? from) : isoDay(dayOfIso(next) - 1), values);
  }
  for (const { day, share, coverage, responseMs } of days) add(day, { share, coverage, responseMs });
  const sorted = [...rows.values()].sort((one, other) => (one.day < other.day ? -1 : 1));
  return csvText(columns, sorted);
}
