import { html } from 'ghtml';
import type { TrendPoint, TrendsView } from '../../directory/trends.ts';
import { barList } from '../charts/bar-list.ts';
import type { Layer } from '../charts/stacked-chart.ts';
import type { Site } from '../site.ts';
import { trendLine, trendStack } from './trend-figure.ts';
import { nameLayers, tablePoints } from './trend-series.ts';

/** Names with a layer of their own in each chart, so that the page stays small. */
const MAX_LAYERS = 5;

/** Where the instances are, and how much depends on one network; empty when nothing was ever known of it. */
export function hostingSection({ trends, stats }: TrendsView, site: Site): string {
  const { words } = site;
  const { hosting: text, unknown } = words.stats;
  const { number, country } = words.format;
  const pointsOf = (key: 'country' | 'network') => {
    // Charts with many layers: more points would make the page large.
    const points = tablePoints(trends, trends.measures.get(`hosting.${key}`) ?? []).reverse();
    return points.some(({ reporting }) => reporting > 0) ? points : [];
  };
  const [countries, networks] = [pointsOf('country'), pointsOf('network')];
  const { behind } = stats.hosting;
  if (countries.length + networks.length + behind.reporting === 0) return '';
  const coverage = ({ reporting, total }: { reporting: number; total: number }) =>
    html`<p class="soft">${text.coverage(number(reporting), number(total))}</p>`;
  const stack = (key: 'country' | 'network', points: readonly TrendPoint[], name = (value: string) => value) => {
    const [last] = points.slice(-1);
    if (last === undefined) return '';
    const layers = nameLayers(points, { other: text.others[key], unknown }, { most: MAX_LAYERS }).map(
      (layer): Layer => (layer.kind === 'value' ? { ...layer, name: name(layer.name) } : layer),
    );
    const chart = {
      id: `by-${key}`,
      title: text[key],
      measure: `hosting.${key}`,
      points,
      layers,
      hasTable: false,
    } as const;
    return html`!${trendStack(chart, trends, site)}!${coverage(last)}`;
  };
  const largest = {
    ...({
      id: 'largest-network',
      title: text.largest,
      measure: 'hosting.network',
      unit: '%',
      isMonthly: true,
    } as const),
    value: largestShare,
    note: ({ reporting, total }: TrendPoint) => text.coverage(number(reporting), number(total)),
  };
  const rows = behind.commonest.map(({ name, instances }, index) => ({
    ...{ label: name, value: instances, text: number(instances) },
    stat: `hosting.behind.commonest.${index}.instances`,
  }));
  return html`<section class="panel" aria-labelledby="hosting">
<h2 id="hosting">${text.title}</h2>
<p class="soft">${text.lead}</p>
!${stack('country', countries, country)}
!${stack('network', networks)}
!${networks.length === 0 ? '' : trendLine(largest, trends, site)}
!${rows.length === 0 ? '' : html`<h3>${text.behind}</h3><p class="soft">${text.behindNote}</p>!${barList(rows, stats.instances.instances)}`}
</section>`;
}

/** The share of the network with most instances, in percent of those whose network is known. */
function largestShare({ values, reporting }: TrendPoint): number | null {
  if (reporting === 0) return null;
  const named = [...values].flatMap(([key, value]) => (key === null ? [] : [value ?? 0]));
  return Math.round((Math.max(...named) / reporting) * 1_000) / 10;
}
