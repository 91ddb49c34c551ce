import { max, nice, ticks } from 'd3-array';
import { line } from 'd3-shape';
import { html } from 'ghtml';
import { type AxisText, type Bucket, isFew, placeOf, round, SIDE, timePlot } from './time-plot.ts';

/** A period with its value; null when nothing is known, which is drawn as a gap. */
export interface LinePoint extends Bucket {
  readonly value: number | null;
}

export interface LineChart {
  /** Unique on its page. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly points: readonly LinePoint[];
  readonly text: AxisText;
  /** What follows each value, such as ` ms`. */
  readonly unit?: string;
}

const GRID_LINES = 3;
/** The least height of a bar, so that a zero is seen. */
const MIN_BAR = 8;

/** One value over time, from zero, as a line with the area below it, or as bars while there are few. Empty when no value is known. */
export function lineChart({ id, title, description, points, text, unit }: LineChart): string {
  const [first, ...rest] = points;
  const most = max(points, ({ value }) => value);
  if (first === undefined || most === undefined) return '';
  const [, top] = nice(0, Math.max(1, most), GRID_LINES);
  const x = (_point: LinePoint, index: number) => placeOf(index, points);
  const y = ({ value }: LinePoint) => round(SIDE * (1 - (value ?? 0) / top));
  const isKnown = ({ value }: LinePoint) => value !== null;
  const marks = () => {
    const stroke = line<LinePoint>().defined(isKnown).x(x).y(y)(points) ?? '';
    // Each run of known values, closed along the time axis.
    const fill = stroke
      .split('M')
      .slice(1)
      .map((run) => `M${run.split(',')[0]},${SIDE}L${run.replace('Z', '')}V${SIDE}Z`);
    return html`<path class="area" d="${fill.join('')}"/><path class="line" d="${stroke}"/>`;
  };
  const bars = () =>
    points.map((point, index) =>
      isKnown(point)
        ? html`<path class="bar colour-main" d="M${x(point, index)},${SIDE}V${Math.min(y(point), SIDE - MIN_BAR)}"/>`
        : '',
    );
  return timePlot({
    ...{ id, title, description, text, top, unit },
    buckets: [first, ...rest],
    series: [{ name: title, values: points.map(({ value }) => value) }],
    grid: ticks(0, top, GRID_LINES).filter(Number.isInteger),
    marks: isFew(points) ? bars().join('') : marks(),
  });
}
