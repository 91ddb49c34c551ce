import { html } from 'ghtml';
import type { Measure } from '../../directory/schema/stats-row.ts';
import type { TrendPoint, Trends } from '../../directory/trends.ts';
import { axisText } from '../charts/axis-text.ts';
import { chartFigure, describedValues } from '../charts/chart-figure.ts';
import { lineChart } from '../charts/line-chart.ts';
import { type Layer, layerClass, stackedChart } from '../charts/stacked-chart.ts';
import type { Site, Words } from '../site.ts';
import { bucketOf, tablePoints } from './trend-series.ts';

interface TrendLine {
  /** Unique on the page. */
  readonly id: string;
  readonly title: string;
  readonly measure: Measure;
  readonly value: (point: TrendPoint) => number | null;
  /** What follows each value, such as `%`. */
  readonly unit?: string;
  /** The text below the chart. */
  readonly note: (last: TrendPoint) => string;
  /** Whether a long history has one point per month, so that a page of many charts stays small. Default: false. */
  readonly isMonthly?: boolean;
}

/** One value over time, with its latest number. */
export function trendLine(
  { id, title, measure, value: valueAt, unit = '', note, isMonthly = false }: TrendLine,
  { measures, step }: Trends,
  site: Site,
): string {
  const { stats: text, format, charts } = site.words;
  const all = measures.get(measure) ?? [];
  const points = isMonthly ? tablePoints({ step }, all).reverse() : all;
  const valueText = (value: number) => `${format.number(value)}${unit}`;
  const last = points.findLast((point) => valueAt(point) !== null);
  const described = points.map((point) => ({ at: point.date, value: valueAt(point) }));
  const chart = lineChart({
    ...{ id, title, text: axisText(format) },
    description: describedValues(title, described, valueText, site),
    unit,
    points: points.map((point) => {
      const value = valueAt(point);
      const shown = value === null ? text.unknown : valueText(value);
      return { ...bucketOf(point, step, text.point(format.date(point.date), shown)), value };
    }),
  });
  const latest = last === undefined ? '' : valueText(valueAt(last) ?? 0);
  const noteText = last === undefined ? '' : note(last);
  return chartFigure({ title, chart, none: charts.none, latest, csv: csvPath(measure), note: noteText }, site);
}

/** Where the values of a measure are, as CSV. */
function csvPath(measure: Measure): string {
  return `stats/${measure}.csv`;
}

interface TrendStack {
  /** Unique on the page. */
  readonly id: string;
  readonly title: string;
  readonly measure: Measure;
  readonly points: readonly TrendPoint[];
  /** The lowest first. */
  readonly layers: readonly Layer[];
}

/** Parts of all instances over time, with a legend of the latest numbers and a table. */
export function trendStack({ id, title, measure, points, layers }: TrendStack, trends: Trends, site: Site): string {
  const { stats: text, format, charts } = site.words;
  const partsAt = (index: number) =>
    layers
      .map(({ name, values }) => ({ name, value: values[index] ?? null }))
      .filter(({ value }) => value !== null && value > 0)
      .map(({ name, value }) => `${name} ${format.number(value ?? 0)}`)
      .reverse()
      .join(', ');
  const [first, last] = [points[0], points.at(-1)];
  const csv = csvPath(measure);
  if (first === undefined || last === undefined) return chartFigure({ title, chart: '', none: charts.none, csv }, site);
  const chart = stackedChart({
    ...{ id, title, layers, text: axisText(format) },
    description: charts.parts(
      title,
      partsAt(0),
      format.date(first.date),
      partsAt(points.length - 1),
      format.date(last.date),
    ),
    buckets: points.map((point, index) =>
      bucketOf(point, trends.step, text.point(format.date(point.date), partsAt(index))),
    ),
  });
  const items = layers
    .map((layer, index) => {
      const value = layer.values.at(-1) ?? 0;
      return html`<li><i class="key ${layerClass(layer, index)}"></i>${layer.name} <b class="number">${format.number(value)}</b></li>`;
    })
    .reverse();
  const legend = html`<ul class="legend">!${items}</ul>`;
  return html`!${chartFigure({ title, chart, none: charts.none, latest: format.date(last.date), csv, legend }, site)}
!${stackTable({ title, points, layers }, trends, site.words)}`;
}

function stackTable(
  { title, points, layers }: Omit<TrendStack, 'id' | 'measure'>,
  trends: Trends,
  { stats: text, format }: Words,
): string {
  const columns = layers.map(({ name, values }) => ({ name, values }));
  const rows = tablePoints(trends, points).map((point) => {
    const index = points.indexOf(point);
    return html`<tr><th scope="row">${format.date(point.date)}</th>!${columns.map(({ values }) => html`<td>${cell(values[index] ?? null)}</td>`)}</tr>`;
  });
  function cell(value: number | null): string {
    return value === null ? text.unknown : format.number(value);
  }
  return html`<details><summary>${text.table(title)}</summary><div class="scroll" tabindex="0" role="region" aria-label="${text.table(title)}"><table class="numbers">
<caption>${trends.step === 'day' ? text.tableNoteDays : text.tableNote}</caption>
<thead><tr><th scope="col">${text.date}</th>!${columns.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>!${rows.join('\n')}</tbody></table></div></details>
`;
}
