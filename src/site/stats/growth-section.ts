import { html } from 'ghtml';
import type { TrendPoint, TrendsView } from '../../directory/trends.ts';
import type { Site } from '../site.ts';
import { trendLine, trendStack } from './trend-figure.ts';
import { valuesOf } from './trend-series.ts';

const COUNTS = ['users', 'activeMonth', 'posts'] as const;

/** Instances, users and posts over time. */
export function growthSection({ trends }: TrendsView, { words }: Site): string {
  const { growth: text } = words.stats;
  const { number } = words.format;
  const points = trends.measures.get('status') ?? [];
  const note = ({ reporting, total }: TrendPoint) => words.stats.coverage(number(reporting), number(total));
  const label = (value: number, point: TrendPoint) => `${number(value)}, ${note(point)}`;
  const instances = trendStack(
    {
      ...{ id: 'instances', title: text.instances, points },
      layers: [
        { name: text.up, kind: 'yes', values: valuesOf(points, 'up') },
        { name: text.down, kind: 'no', values: valuesOf(points, 'down') },
      ],
    },
    trends,
    words,
  );
  const lines = COUNTS.map((key) =>
    trendLine(
      { id: key, title: text[key], points: trends.measures.get(`usage.${key}`) ?? [], key: 'total', label, note },
      trends,
      words,
    ),
  );
  return html`<section class="panel" aria-labelledby="growth">
<h2 id="growth">${text.title}</h2>
!${instances}
<div class="charts">!${lines}</div>
<p class="soft">${text.note}</p>
</section>`;
}
