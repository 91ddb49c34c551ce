import { html } from 'ghtml';
import type { TrendsView } from '../../directory/trends.ts';
import { rangeButtons } from '../charts/chart-figure.ts';
import { renderPage } from '../layout.ts';
import type { Site } from '../site.ts';
import { estimateSection, failuresSection, softwareSection } from './domains-sections.ts';
import { featuresSection, limitsSection } from './features-section.ts';
import { growthSection } from './growth-section.ts';
import { registrationSection } from './registration-section.ts';
import { versionsSection } from './versions-section.ts';

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
<p class="more">${text.data}<a href="${links.file('stats.csv')}">CSV</a> <a href="${links.file('stats.json')}">JSON</a> <a href="${links.data()}">${site.words.data.title}</a></p>`;
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
    const { total, reporting, implausible } = instances[key];
    const note = [
      text.coverage(number(reporting), number(instances.instances)),
      ...(implausible > 0 ? [text.implausible(number(implausible))] : []),
    ].join(', ');
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
