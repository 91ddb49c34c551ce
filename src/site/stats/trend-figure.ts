import { html } from 'ghtml';
import type { TrendPoint, Trends } from '../../directory/trends.ts';
import { axisText } from '../charts/axis-text.ts';
import { lineChart } from '../charts/line-chart.ts';
import { type Layer, layerClass, stackedChart } from '../charts/stacked-chart.ts';
import type { Words } from '../site.ts';
import { bucketOf, tablePoints } from './trend-series.ts';

interface TrendLine {
  /** Unique on the page. */
  readonly id: string;
  readonly title: string;
  readonly points: readonly TrendPoint[];
  /** The key of the values shown, as in `stats.csv`. */
  readonly key: string;
  /** A value in words. */
  readonly label: (value: number, point: TrendPoint) => string;
  /** The text below the chart. */
  readonly note: (last: TrendPoint) => string;
  /** Whether values show on hover. Default: true. */
  readonly hasHovers?: boolean;
}

/** One value over time, with its latest number; empty when it was never known. */
export function trendLine(
  { id, title, points, key, label, note, hasHovers = true }: TrendLine,
  { step }: Trends,
  words: Words,
): string {
  const { stats: text, format } = words;
  const known = points.flatMap((point) => {
    const value = point.values.get(key) ?? null;
    return value === null ? [] : [{ point, value }];
  });
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return '';
  const chart = lineChart({
    ...{ id, title, hasHovers, text: axisText(format) },
    description: text.text(
      title,
      format.number(first.value),
      format.date(first.point.date),
      format.number(last.value),
      format.date(last.point.date),
    ),
    points: points.map((point) => {
      const value = point.values.get(key) ?? null;
      const valueText = value === null ? text.unknown : label(value, point);
      return { ...bucketOf(point, step, text.point(format.date(point.date), valueText)), value };
    }),
  });
  return html`<figure class="chart"><figcaption><h3>${title}</h3><span class="latest number">${format.number(last.value)}</span></figcaption>
!${chart}<p class="soft">${note(last.point)}</p></figure>
`;
}

interface TrendStack {
  /** Unique on the page. */
  readonly id: string;
  readonly title: string;
  readonly points: readonly TrendPoint[];
  /** The lowest first. */
  readonly layers: readonly Layer[];
}

/** Parts of all instances over time, with a legend of the latest numbers and a table. */
export function trendStack({ id, title, points, layers }: TrendStack, trends: Trends, words: Words): string {
  const { stats: text, format } = words;
  const partsAt = (index: number) =>
    layers
      .map(({ name, values }) => ({ name, value: values[index] ?? null }))
      .filter(({ value }) => value !== null && value > 0)
      .map(({ name, value }) => `${name} ${format.number(value ?? 0)}`)
      .reverse()
      .join(', ');
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return '';
  const chart = stackedChart({
    ...{ id, title, layers, text: axisText(format) },
    description: text.text(
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
  const legend = layers
    .map((layer, index) => {
      const value = layer.values.at(-1) ?? 0;
      return html`<li><i class="key ${layerClass(layer, index)}"></i>${layer.name} <b class="number">${format.number(value)}</b></li>`;
    })
    .reverse();
  return html`<figure class="chart"><figcaption><h3>${title}</h3></figcaption>
!${chart}
<ul class="legend">!${legend}</ul></figure>
!${stackTable({ title, points, layers }, trends, words)}`;
}

function stackTable(
  { title, points, layers }: Omit<TrendStack, 'id'>,
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
