import { html } from 'ghtml';
import { DAY_MS } from '../../model/time.ts';
import type { Site } from '../site.ts';

interface ChartFigure {
  readonly title: string;
  /** The chart; empty when there is nothing to draw. */
  readonly chart: string;
  /** What is said instead of an empty chart. */
  readonly none: string;
  /** The latest value as text. */
  readonly latest?: string;
  /** The path of the values as CSV, from the root of the site. */
  readonly csv: string;
  readonly note?: string;
  /** HTML below the chart. */
  readonly legend?: string;
}

/** A chart with its title, its latest value, which the script replaces by the one pointed at, and its values as CSV. */
export function chartFigure({ title, chart, none, latest = '', csv, note = '', legend = '' }: ChartFigure, site: Site) {
  const { charts } = site.words;
  return html`<figure class="chart"><figcaption><h3>${title}</h3>!${chart === '' ? '' : html`<output class="latest number" aria-label="${charts.pointed}">${latest}</output>`}<a class="csv" href="${site.links.file(csv)}" download>CSV<span class="unseen"> (${title})</span></a></figcaption>
!${chart === '' ? html`<p class="blank">${none}</p>` : chart}!${legend}!${note === '' ? '' : html`<p class="soft">${note}</p>`}</figure>
`;
}

const RANGES = [30, 90, 365] as const;

/** Buttons that show a part of all charts of the page; they need the script. Empty for a history that is no longer than the shortest range. */
export function rangeButtons(from: number, until: number, { words }: Site): string {
  const { charts } = words;
  const ranges = RANGES.filter((days) => days * DAY_MS < until - from);
  if (ranges.length === 0) return '';
  const button = (days: string, text: string, isChosen: boolean) =>
    html`<button type="button" class="quiet" data-days="${days}" aria-pressed="${isChosen}">${text}</button>`;
  return html`<div class="ranges" role="group" aria-label="${charts.range}">!${ranges.map((days) => button(String(days), charts.ranges[days], false))}!${button('', charts.ranges.all, true)}</div>`;
}

/** What a chart of one value shows, in a sentence: the first, the last, and the highest value. */
export function describedValues(
  title: string,
  points: readonly { readonly at: number | string; readonly value: number | null }[],
  valueText: (value: number) => string,
  { words }: Site,
): string {
  const { charts, format } = words;
  const known = points.flatMap(({ at, value }) => (value === null ? [] : [{ at, value }]));
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return charts.none;
  const most = known.reduce((one, other) => (other.value > one.value ? other : one));
  if (known.length === 1) return charts.onePoint(title, valueText(first.value), format.date(first.at));
  return charts.text(
    title,
    ...([valueText(first.value), format.date(first.at)] as const),
    ...([valueText(last.value), format.date(last.at)] as const),
    ...([valueText(most.value), format.date(most.at)] as const),
  );
}
