import { html } from 'ghtml';
import type { TrendsView } from '../../directory/trends.ts';
import { barList } from '../charts/bar-list.ts';
import type { Site } from '../site.ts';
import { trendStack } from './trend-figure.ts';
import { unknownOf, valuesOf } from './trend-series.ts';

/** Who can join, over time, and the modes of today. */
export function registrationSection({ trends }: TrendsView, site: Site): string {
  const { words } = site;
  const { stats, format } = words;
  const { registration: text } = stats;
  const points = trends.measures.get('registration.open') ?? [];
  const layers = [
    { name: text.yes, kind: 'main', values: valuesOf(points, 'yes') },
    { name: text.no, kind: 'other', values: valuesOf(points, 'no') },
    { name: stats.unknown, kind: 'unknown', values: unknownOf(points) },
  ] as const;
  const modes = trends.measures.get('registration.mode')?.at(-1);
  const rows = [...(modes?.values ?? [])]
    .map(([mode, value]) => ({ label: mode ?? text.otherModes, value: value ?? 0, text: format.number(value ?? 0) }))
    .filter(({ value }) => value > 0)
    .sort((one, other) => other.value - one.value);
  return html`<section class="panel" aria-labelledby="registration">
<h2 id="registration">${text.title}</h2>
!${trendStack({ id: 'by-registration', title: text.chart, measure: 'registration.open', points, layers }, trends, site)}
<p class="soft">${text.modesNote}</p>
!${
    modes === undefined || rows.length === 0
      ? ''
      : html`<h3>${text.modes}</h3><p class="soft">${stats.coverage(format.number(modes.reporting), format.number(modes.total))}</p>!${barList(rows, modes.total)}`
  }
</section>`;
}
