import { html } from 'ghtml';
import type { TrendPoint, TrendsView } from '../../directory/trends.ts';
import { barList } from '../charts/bar-list.ts';
import type { Layer } from '../charts/stacked-chart.ts';
import { renderPage } from '../layout.ts';
import type { Site } from '../site.ts';
import { rangesOf } from './stats-page.ts';
import { trendLine, trendStack } from './trend-figure.ts';
import { nameLayers } from './trend-series.ts';

/** Where the instances are, and how much depends on one network. */
export function hostingPage(view: TrendsView, site: Site): string {
  const { trends, stats } = view;
  const { words } = site;
  const { hosting: text, unknown } = words.stats;
  const { number, country } = words.format;
  const pointsOf = (key: 'country' | 'network') => {
    const points = trends.measures.get(`hosting.${key}`) ?? [];
    return points.some(({ reporting }) => reporting > 0) ? points : [];
  };
  const [countries, networks] = [pointsOf('country'), pointsOf('network')];
  const { behind } = stats.hosting;
  const isKnown = countries.length + networks.length + behind.reporting > 0;
  const coverage = ({ reporting, total }: { reporting: number; total: number }) =>
    html`<p class="soft">${text.coverage(number(reporting), number(total))}</p>`;
  const stack = (key: 'country' | 'network', points: readonly TrendPoint[], name = (value: string) => value) => {
    const [last] = points.slice(-1);
    if (last === undefined) return '';
    const layers = nameLayers(points, { other: text.others[key], unknown }).map(
      (layer): Layer => (layer.kind === 'value' ? { ...layer, name: name(layer.name) } : layer),
    );
    const chart = { id: `by-${key}`, title: text[key], measure: `hosting.${key}`, points, layers } as const;
    return html`!${trendStack(chart, trends, site)}!${coverage(last)}`;
  };
  const largest = {
    ...({ id: 'largest-network', title: text.largest, measure: 'hosting.network', unit: '%' } as const),
    value: largestShare,
    note: ({ reporting, total }: TrendPoint) => text.coverage(number(reporting), number(total)),
  };
  const rows = behind.commonest.map(({ name, instances }, index) => ({
    ...{ label: name, value: instances, text: number(instances) },
    stat: `hosting.behind.commonest.${index}.instances`,
  }));
  const charts = html`!${rangesOf(view, site)}
<section class="panel" aria-labelledby="hosting">
<h2 id="hosting">${text.overTime}</h2>
!${stack('country', countries, country)}
!${stack('network', networks)}
!${networks.length === 0 ? '' : trendLine(largest, trends, site)}
!${rows.length === 0 ? '' : html`<h3>${text.behind}</h3><p class="soft">${text.behindNote}</p>!${barList(rows, stats.instances.instances)}`}
</section>`;
  const content = html`<div class="hero">
<h1>${text.title}</h1>
<p>${text.lead}</p>
</div>
!${isKnown ? charts : html`<p class="empty">${text.none}</p>`}
<p class="more"><a href="${site.links.page('/stats')}">${words.stats.movers.back}</a></p>`;
  return renderPage({ title: text.title, description: text.description, section: '/stats', content }, site);
}

/** The share of the network with most instances, in percent of those whose network is known. */
function largestShare({ values, reporting }: TrendPoint): number | null {
  if (reporting === 0) return null;
  const named = [...values].flatMap(([key, value]) => (key === null ? [] : [value ?? 0]));
  return Math.round((Math.max(...named) / reporting) * 1_000) / 10;
}
