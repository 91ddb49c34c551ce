import { utcTicks } from 'd3-time';
import { html } from 'ghtml';
import { DAY_MS, type EpochMs } from '../../model/time.ts';

/** A period on the time axis. */
export interface Bucket {
  readonly from: EpochMs;
  readonly until: EpochMs;
  /** Shown, without the script, when the pointer rests on the period: `Week of 2 Mar 2026: 1,204 users`. */
  readonly label: string;
}

/** How a language writes the numbers and times on an axis. */
export interface AxisText {
  /** Short: `1.2K`. */
  number(value: number): string;
  /** Short: `12 Mar`, or `Mar 2026` when a chart spans many months. */
  time(at: number, spanMs: number): string;
}

/** The values that the script of the pages reads out: one name and, per bucket, one value each. */
export interface Series {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

interface TimePlot {
  /** Unique on its page. */
  readonly id: string;
  readonly title: string;
  /** The content in a sentence, for readers who cannot see it. */
  readonly description: string;
  readonly buckets: readonly [Bucket, ...Bucket[]];
  readonly series: readonly Series[];
  /** What follows each value, such as ` ms`. */
  readonly unit?: string | undefined;
  /** Values of the lines across the plot. */
  readonly grid: readonly number[];
  /** The value at the top of the plot. */
  readonly top: number;
  readonly text: AxisText;
  /** SVG in a square from 0 to {@link SIDE}, stretched to the plot; y points down. */
  readonly marks: string;
}

/** Side of the square in which marks are drawn. */
export const SIDE = 1_000;

/** In CSS pixels. The width follows the page. */
const HEIGHT = 208;
const PAD_TOP = 10;
const PAD_BOTTOM = 26;
const PLOT = HEIGHT - PAD_TOP - PAD_BOTTOM;
/** Width of the numbers beside the plot: so much at least, so that charts align, and so much for each character. */
const Y_AXIS = 44;
const CHARACTER = 7;
const Y_GAP = 8;
const MAX_TICKS = 5;
/** In percent of the width: a label further left or right would be cut off. */
const TICKS = [3, 97] as const;
/** When there are more buckets, several share one label, so that a page of many charts stays small. */
const MAX_HOVERS = 8;
/** So few periods are drawn as bars: a line through them would be a dot, or hide how little is known. */
const MAX_BARS = 14;

export function isFew(buckets: readonly Bucket[]): boolean {
  return buckets.length <= MAX_BARS;
}

/** Marks over time between two axes. Text keeps its size at any width, because only the marks are stretched. */
export function timePlot(plot: TimePlot): string {
  const { id, title, description, buckets, series, unit = '', grid, top, text, marks } = plot;
  const y = (value: number) => round(PAD_TOP + PLOT * (1 - value / top));
  const points = buckets.map(({ until }, index) => [
    Math.floor((until - 1) / DAY_MS),
    ...series.map(({ values }) => values[index] ?? null),
  ]);
  const values = grid.map((value) => ({ y: y(value) + 4, label: text.number(value) }));
  const axis = Math.max(Y_AXIS, ...values.map(({ label }) => Y_GAP + CHARACTER * label.length));
  return html`<div class="plot" data-points="${JSON.stringify(points)}" data-names="${JSON.stringify(series.map(({ name }) => name))}" data-unit="${unit}" data-title="${title}">
<svg class="plot-values" width="${axis}" height="${HEIGHT}" aria-hidden="true">!${values.map(
    ({ y, label }) => html`<text x="${axis - Y_GAP}" y="${y}" text-anchor="end">${label}</text>`,
  )}</svg>
<svg class="plot-area" width="100%" height="${HEIGHT}" role="img" aria-labelledby="${id}-title ${id}-text">
<title id="${id}-title">${title}</title><desc id="${id}-text">${description}</desc>
!${grid.map((value) => html`<line class="grid" x1="0" x2="100%" y1="${y(value)}" y2="${y(value)}"/>`)}
<svg class="marks" y="${PAD_TOP}" width="100%" height="${PLOT}" viewBox="0 0 ${SIDE} ${SIDE}" preserveAspectRatio="none" overflow="visible">
!${marks}
!${hoverBands(buckets)}</svg>
<g class="times">!${timeLabels(buckets, text)}</g></svg>
</div>
`;
}

/** The first and the last time of the axis: each point stands in the middle of the last day of its period. */
function spanOf(buckets: readonly Bucket[]): readonly [start: number, end: number] {
  return [(buckets[0]?.until ?? 0) - DAY_MS, buckets.at(-1)?.until ?? 0];
}

/** The horizontal place of a bucket in the square of the marks, to a tenth: a range of the chart is drawn enlarged. */
export function placeOf(index: number, buckets: readonly Bucket[]): number {
  const [start, end] = spanOf(buckets);
  return round((((buckets[index]?.until ?? 0) - DAY_MS / 2 - start) / (end - start)) * SIDE * 10) / 10;
}

/** Rounds a coordinate of the marks to an integer: a thousandth of the side is too small to see. */
export function round(value: number): number {
  return Math.round(value);
}

/** Invisible areas, each over one or more buckets, that show the label of their last bucket. */
function hoverBands(buckets: readonly Bucket[]): string {
  const bucketsPerBand = Math.ceil(buckets.length / MAX_HOVERS);
  const bands: string[] = [];
  for (let start = 0; start < buckets.length; start += bucketsPerBand) {
    const next = start + bucketsPerBand;
    const last = Math.min(buckets.length, next) - 1;
    const edge = (index: number) => (placeOf(index - 1, buckets) + placeOf(index, buckets)) / 2;
    const [left, right] = [start === 0 ? 0 : edge(start), next >= buckets.length ? SIDE : edge(next)];
    bands.push(
      html`<rect x="${round(left)}" width="${round(right) - round(left)}" height="${SIDE}"><title>${buckets[last]?.label}</title></rect>`,
    );
  }
  return html`<g class="hits">!${bands.join('\n')}</g>`;
}

function timeLabels(buckets: TimePlot['buckets'], text: AxisText): string {
  const [start, end] = spanOf(buckets);
  const places = isFew(buckets)
    ? buckets.map(({ from }, index) => ({ at: from, percent: placeOf(index, buckets) / 10 }))
    : // The requested number is only a hint to d3.
      utcTicks(new Date(start), new Date(end), 2 * MAX_TICKS)
        .map((tick) => ({ at: tick.getTime(), percent: (100 * (tick.getTime() - start)) / (end - start) }))
        .filter(({ percent }) => percent >= TICKS[0] && percent <= TICKS[1]);
  const labels = places.map(({ at, percent }) => ({ percent, label: text.time(at, end - start) }));
  const distinct = labels.filter(({ label }, index) => label !== labels[index - 1]?.label);
  const stride = Math.ceil(distinct.length / MAX_TICKS);
  return distinct
    .filter((_label, index) => index % stride === 0)
    .map(({ percent, label }, index) => {
      // On a narrow screen every second label is hidden.
      const kind = index % 2 === 0 ? 'tick' : 'tick tick-minor';
      return html`<text class="${kind}" x="${round(percent)}%" y="${HEIGHT - 6}" text-anchor="middle">${label}</text>`;
    })
    .join('\n');
}
