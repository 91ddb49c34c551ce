import { median } from 'd3-array';
import { html } from 'ghtml';
import type { TrendPoint, TrendsView, Uptake } from '../../directory/trends.ts';
import { barList } from '../charts/bar-list.ts';
import { rangeButtons } from '../charts/chart-figure.ts';
import { coverageText } from '../fact-text.ts';
import { renderPage } from '../layout.ts';
import type { Site, Words } from '../site.ts';
import { estimateSection, failuresSection, softwareSection } from './domains-sections.ts';
import { featuresSection, limitsSection } from './features-section.ts';
import { trendLine, trendStack } from './trend-figure.ts';
import { compareVersions, nameLayers, unknownOf, valueByKey, valuesOf } from './trend-series.ts';

/** How the instances change over time, and what is known about all domains. */
export function statsPage(view: TrendsView, site: Site): string {
  const { words, links } = site;
  const { stats: text } = words;
  const hasHistory = view.trends.measures.size > 0;
  // Sums and shares of no server say nothing.
  const isEmpty = !hasHistory && view.stats.instances.instances === 0;
  const content = html`<div class="hero">
<h1>${text.title}</h1>
<p>${text.lead}</p>
</div>
!${isEmpty ? '' : today(view, site)}
!${rangesOf(view, site)}
!${hasHistory ? [growthSection, versionsSection, registrationSection, featuresSection].map((section) => section(view, site)).join('\n') : html`<p class="empty">${text.empty}</p>`}
!${isEmpty ? '' : limitsSection(view, site)}
<div class="pair">!${softwareSection(view, site)}!${failuresSection(view, site)}</div>
!${isEmpty ? '' : estimateSection(view, site)}
<p class="more">${text.data}<a href="${links.file('stats.csv')}">CSV</a> <a href="${links.file('stats.json')}">JSON</a> <a href="${links.page('/data')}">${site.words.data.title}</a></p>`;
  return renderPage({ title: text.title, description: text.description, content }, site);
}

/** When the record began, while it is young; later the ranges that charts can show. */
export function rangesOf({ trends }: TrendsView, site: Site): string {
  const days = (trends.measures.get('status') ?? []).map(({ date }) => Date.parse(date));
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return '';
  return days.length < 14
    ? html`<p class="soft">${site.words.charts.young(site.words.format.date(first))}</p>`
    : rangeButtons(first, last, site);
}

function today({ stats }: TrendsView, { words }: Site): string {
  const { stats: text, format } = words;
  const { instances, population } = stats;
  const { number } = format;
  const counts = (['users', 'activeMonth', 'posts'] as const).map((key) => {
    const note = coverageText(instances[key], instances.instances, words);
    const { total } = instances[key];
    return figure(`instances.${key}.total`, total === null ? text.unknown : number(total), text.now[key], note);
  });
  return html`<dl class="figures big">
!${figure('instances.instances', number(instances.instances), text.now.instances, text.now.upDown(number(instances.up), number(instances.down)))}
!${counts}
!${population.atLeast === null ? '' : figure('population.atLeast', number(population.atLeast), text.now.estimate, text.now.estimateOf(number(population.sources)))}
</dl>`;
}

function figure(statsPath: string, value: string, label: string, note: string): string {
  return html`<div><dt>${label}<small>${note}</small></dt><dd data-stat="${statsPath}">${value}</dd></div>`;
}

const COUNTS = ['users', 'activeMonth', 'posts'] as const;

/** Instances, users and posts over time. */
function growthSection({ trends }: TrendsView, site: Site): string {
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

/** Who can join, over time, and the modes of today. */
function registrationSection({ trends }: TrendsView, site: Site): string {
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

/** Which versions run, and how fast new ones spread. */
function versionsSection({ trends }: TrendsView, site: Site): string {
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
