import { DAY_MS } from '../../model/time.ts';
import type { Words } from '../site.ts';
import type { AxisText } from './time-plot.ts';

/** An axis that spans more than this shows months, otherwise days. */
const MONTHS_FROM_MS = 200 * DAY_MS;

export function axisText({ compact, month, day }: Words['format']): AxisText {
  return { number: compact, time: (at, spanMs) => (spanMs > MONTHS_FROM_MS ? month(at) : day(at)) };
}
