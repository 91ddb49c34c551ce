import { html } from 'ghtml';
import type { TrendPoint, TrendsView } from '../../directory/trends.ts';
import type { Site } from '../site.ts';
import { trendLine, trendStack } from './trend-figure.ts';
import { valueByKey, valuesOf } from './trend-series.ts';

const COUNTS = ['users', 'activeMonth', 'posts'] as const;

/** Instances, users and posts over time. */
export function growthSection({ trends }: TrendsView, site: Site): string {
  const { words } = site;
  const { growth: text } = words.stats;
  const { number } = words.format;
  const points = trends.measures.get('status') ?? [];
  const note = ({ reporting, total }: TrendPoint) => words.stats.coverage(number(reporting), number(total));
  const instances = trendStack(
    {
      ...{ id: 'instances', title: text.instances, measure: 'status', points },
      layers: [
        { name: text.up, kind: 'yes', values: valuesOf(points, 'up') },
        { name: text.down, kind: 'no', values: valuesOf(points, 'down') },
      ],
    },
    trends,
    site,
  );
  const lines = COUNTS.map((key) =>
    trendLine({ id: key, title: text[key], measure: `usage.${key}`, value: valueByKey('total'), note }, trends, site),
  );
  return html`<section class="panel" aria-labelledby="growth">
<h2 id="growth">${text.title}</h2>
!${instances}
<div class="charts">!${lines}</div>
<p class="soft">${text.note}</p>
<p class="more"><a href="${site.links.page('/movers')}">${words.stats.movers.link}</a> <a href="${site.links.page('/hosting')}">${words.stats.hosting.link}</a></p>
</section>`;
}
