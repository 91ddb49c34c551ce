import { max, nice, sum, ticks } from 'd3-array';
import { area } from 'd3-shape';
import { html } from 'ghtml';
import { type AxisText, type Bucket, isFew, placeOf, round, SIDE, timePlot } from './time-plot.ts';

/** One layer of a stack. */
export interface Layer {
  readonly name: string;
  /** The meaning of its colour; each layer of the kind `value` has its own colour. */
  readonly kind: 'value' | 'yes' | 'no' | 'main' | 'other' | 'unknown';
  /** One value per bucket; null when nothing is known about that time. */
  readonly values: readonly (number | null)[];
}

export interface StackedChart {
  /** Unique on its page. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly buckets: readonly Bucket[];
  /** The lowest first. */
  readonly layers: readonly Layer[];
  readonly text: AxisText;
}

const GRID_LINES = 3;
/** The style sheet has `colour-1` to `colour-8`. */
const COLOURS = 8;

/** Parts of a whole over time, as areas, or as bars while there are few periods. Empty when nothing is known. */
export function stackedChart({ id, title, description, buckets, layers, text }: StackedChart): string {
  const [first, ...rest] = buckets;
  const totals = buckets.map((_bucket, index) => sumAt(layers, index));
  const most = max(totals.filter((total) => total !== null));
  if (first === undefined || most === undefined) return '';
  const [, top] = nice(0, Math.max(1, most), GRID_LINES);
  const y = (value: number) => round(SIDE * (1 - value / top));
  const shape = (layerIndex: number) =>
    area<Bucket>()
      .defined((_bucket, index) => totals[index] !== null && isVisible(layers[layerIndex], index))
      .x((_bucket, index) => placeOf(index, buckets))
      .y0((_bucket, index) => y(sumAt(layers.slice(0, layerIndex), index) ?? 0))
      .y1((_bucket, index) => y(sumAt(layers.slice(0, layerIndex + 1), index) ?? 0))(buckets) ?? '';
  const bars = (layerIndex: number) =>
    buckets
      .map((_bucket, index) => {
        const [from, to] = [layerIndex, layerIndex + 1].map((end) => y(sumAt(layers.slice(0, end), index) ?? 0));
        return from === to ? '' : `M${placeOf(index, buckets)},${from}V${to}`;
      })
      .join('');
  const few = isFew(buckets);
  return timePlot({
    ...{ id, title, description, text, top, series: layers },
    buckets: [first, ...rest],
    grid: ticks(0, top, GRID_LINES).filter(Number.isInteger),
    marks: layers
      .map((layer, index) => {
        const colour = layerClass(layer, index);
        return html`<path class="${few ? 'bar' : 'layer'} ${colour}" d="${few ? bars(index) : shape(index)}"/>`;
      })
      .join('\n'),
  });
}

/** The colour class of a layer, for the chart and its legend. */
export function layerClass({ kind }: Layer, index: number): string {
  return kind === 'value' ? `colour-${(index % COLOURS) + 1}` : `colour-${kind}`;
}

/** Whether a layer is drawn at a bucket: only where its value is above 0, and in the buckets next to those, to which its slopes lead. */
function isVisible(layer: Layer | undefined, index: number): boolean {
  return [index - 1, index, index + 1].some((nearby) => (layer?.values[nearby] ?? 0) > 0);
}

/** Null when no layer has a value. */
function sumAt(layers: readonly Layer[], index: number): number | null {
  const values = layers.map((layer) => layer.values[index] ?? null).filter((value) => value !== null);
  return values.length === 0 ? null : sum(values);
}
