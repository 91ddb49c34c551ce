import { utcTicks } from 'd3-time';
import { html } from 'ghtml';
import type { EpochMs } from '../../model/time.ts';

/** A period on the time axis. */
export interface Bucket {
  readonly from: EpochMs;
  readonly until: EpochMs;
  /** Shown when the pointer rests on the period: `Week of 2 Mar 2026: 1,204 users`. */
  readonly label: string;
}

/** How a language writes the numbers and times on an axis. */
export interface AxisText {
  /** Short: `1.2K`. */
  number(value: number): string;
  /** Short: `12 Mar`, or `Mar 2026` when a chart spans many months. */
  time(at: number, spanMs: number): string;
}

interface TimePlot {
  /** Unique on its page. */
  readonly id: string;
  readonly title: string;
  /** The content in a sentence, for readers who cannot see it. */
  readonly description: string;
  readonly buckets: readonly [Bucket, ...Bucket[]];
  /** Values of the lines across the plot. */
  readonly grid: readonly number[];
  /** The value at the top of the plot. */
  readonly top: number;
  readonly text: AxisText;
  /** Whether labels show on hover. */
  readonly hasHovers: boolean;
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
const Y_AXIS = 44;
const MAX_TICKS = 5;
/** In percent of the width: a label further right would be cut off. */
const LAST_TICK = 97;
/** When there are more buckets, several share one hover label, so that a page of many charts stays small. */
const MAX_HOVERS = 45;

/** Marks over time between two axes. Text keeps its size at any width, because only the marks are stretched. */
export function timePlot({ id, title, description, buckets, grid, top, text, hasHovers, marks }: TimePlot): string {
  const y = (value: number) => round(PAD_TOP + PLOT * (1 - value / top));
  return html`<div class="plot">
<svg class="plot-values" width="${Y_AXIS}" height="${HEIGHT}" aria-hidden="true">!${grid.map(
    (value) => html`<text x="${Y_AXIS - 8}" y="${y(value) + 4}" text-anchor="end">${text.number(value)}</text>`,
  )}</svg>
<svg class="plot-area" width="100%" height="${HEIGHT}" role="img" aria-labelledby="${id}-title ${id}-text">
<title id="${id}-title">${title}</title><desc id="${id}-text">${description}</desc>
!${grid.map((value) => html`<line class="grid" x1="0" x2="100%" y1="${y(value)}" y2="${y(value)}"/>`)}
<svg y="${PAD_TOP}" width="100%" height="${PLOT}" viewBox="0 0 ${SIDE} ${SIDE}" preserveAspectRatio="none" overflow="visible">
!${marks}
!${hasHovers ? hoverBands(buckets) : ''}</svg>
!${timeLabels(buckets, text)}</svg>
</div>
`;
}

/** The horizontal middle of a bucket in the square of the marks. */
export function middleOf(index: number, buckets: readonly Bucket[]): number {
  return ((index + 0.5) / buckets.length) * SIDE;
}

/** Rounds a coordinate of the marks to an integer: a thousandth of the side is too small to see. */
export function round(value: number): number {
  return Math.round(value);
}

/** Invisible areas, each over one or more buckets, that show the label of their last bucket on hover. */
function hoverBands(buckets: readonly Bucket[]): string {
  const bucketsPerBand = Math.ceil(buckets.length / MAX_HOVERS);
  const width = SIDE / buckets.length;
  const bands: string[] = [];
  for (let start = 0; start < buckets.length; start += bucketsPerBand) {
    const end = Math.min(buckets.length, start + bucketsPerBand);
    bands.push(
      html`<rect x="${round(start * width)}" width="${round((end - start) * width)}" height="${SIDE}"><title>${buckets[end - 1]?.label}</title></rect>`,
    );
  }
  return html`<g class="hits">!${bands.join('\n')}</g>`;
}

function timeLabels(buckets: TimePlot['buckets'], text: AxisText): string {
  const [start, end] = [buckets[0].from, (buckets.at(-1) ?? buckets[0]).until];
  const percentOf = (tick: Date) => (100 * (tick.getTime() - start)) / (end - start);
  // The requested number is only a hint to d3.
  const candidates = utcTicks(new Date(start), new Date(end), 2 * MAX_TICKS).filter(
    (tick) => percentOf(tick) <= LAST_TICK,
  );
  const stride = Math.ceil(candidates.length / MAX_TICKS);
  const ticks = candidates.filter((_tick, index) => index % stride === 0);
  return ticks
    .map((tick, index) => {
      // On a narrow screen every second label is hidden.
      const kind = index % 2 === 0 ? 'tick' : 'tick tick-minor';
      return html`<text class="${kind}" x="${round(percentOf(tick))}%" y="${HEIGHT - 6}" text-anchor="middle">${text.time(tick.getTime(), end - start)}</text>`;
    })
    .join('\n');
}
