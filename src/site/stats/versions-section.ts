import { median } from 'd3-array';
import { html } from 'ghtml';
import type { TrendsView, Uptake } from '../../directory/trends.ts';
import type { Site, Words } from '../site.ts';
import { trendStack } from './trend-figure.ts';
import { compareVersions, nameLayers } from './trend-series.ts';

/** Which versions run, and how fast new ones spread. */
export function versionsSection({ trends }: TrendsView, site: Site): string {
  const { words } = site;
  const { stats } = words;
  const { versions: text } = stats;
  const points = trends.measures.get('version') ?? [];
  const layers = nameLayers(points, { other: text.other, unknown: stats.unknown }, compareVersions);
  return html`<section class="panel" aria-labelledby="versions">
<h2 id="versions">${text.title}</h2>
!${trendStack({ id: 'by-version', title: text.chart, measure: 'version', points, layers }, trends, site)}
!${trends.uptake.length === 0 ? '' : uptake(trends.uptake, words)}
</section>`;
}

function uptake(versions: readonly Uptake[], words: Words): string {
  const { versions: text, limits } = words.stats;
  const { format } = words;
  const days = (count: number) => format.days(Math.max(1, count));
  const rows = versions.map(
    ({ version, since, daysToHalf, instances, reporting }) =>
      html`<tr><th scope="row">${version}</th><td>${since === null ? text.sinceUnknown : format.date(since)}</td><td>${daysToHalf === null ? (since === null ? '–' : text.notYet) : days(daysToHalf)}</td><td class="number">${limits.of(format.number(instances), format.number(reporting))}</td></tr>`,
  );
  return html`<h3>${text.uptake}</h3>
<p>${uptakeSentences(versions, text, days).join(' ')}</p>
<div class="scroll" tabindex="0" role="region" aria-label="${text.uptake}"><table>
<caption class="unseen">${text.uptake}</caption>
<thead><tr><th scope="col">${text.version}</th><th scope="col">${text.since}</th><th scope="col">${text.toHalf}</th><th scope="col" class="number">${text.running}</th></tr></thead>
<tbody>!${rows}</tbody></table></div>
<p class="soft">${text.note}</p>`;
}

function uptakeSentences(
  versions: readonly Uptake[],
  text: Words['stats']['versions'],
  days: (count: number) => string,
): string[] {
  const dated = versions.filter(({ since }) => since !== null);
  const [newest] = dated;
  const reached = dated.filter(({ daysToHalf }) => daysToHalf !== null);
  const sentences: string[] = [];
  if (newest !== undefined && newest.daysToHalf === null) sentences.push(text.answerNotYet(newest.version));
  const [newestReached] = reached;
  if (newestReached !== undefined)
    sentences.push(text.answer(newestReached.version, days(newestReached.daysToHalf ?? 0)));
  const typical = median(reached, ({ daysToHalf }) => daysToHalf);
  if (reached.length > 2 && typical !== undefined) sentences.push(text.answerTypical(days(Math.round(typical))));
  return sentences;
}
