import { html } from 'ghtml';
import type { About } from '../../directory/about.ts';
import { ASSUMPTION } from '../../directory/population/population-of.ts';
import { renderPage } from '../layout.ts';
import { panel } from '../panel.ts';
import type { Site } from '../site.ts';
import type { SitePage } from '../site-page.ts';
import { contactLink } from './contact-link.ts';

export interface AboutView {
  readonly about: About;
  readonly optOuts: number;
  /** Whether a check can be started on this site. */
  readonly canCheck: boolean;
}

/** What the crawler is and does, for operators of visited servers. */
export function aboutPage(view: AboutView, site: Site): string {
  const { about: words } = site.words;
  const content = html`<div class="hero">
<h1>${words.title}</h1>
<p>${words.lead(view.about.version)}</p>
</div>
<div class="pair">
!${recogniseSection(view, site)}
!${requestsSection(view, site)}
</div>
!${awaySection(view, site)}
!${oftenSection(view, site)}
<div class="pair">
!${storesSection(view, site)}
!${panel('number', words.number.title, html`<p>${words.number.text} ${ASSUMPTION}</p>`)}
</div>
!${listedSection(view, site)}`;
  return renderPage({ title: words.title, description: words.description, content }, site);
}

function recogniseSection({ about: { userAgent, contact } }: AboutView, { words: { about } }: Site): string {
  const { recognise: text } = about;
  return panel(
    'recognise',
    text.title,
    html`<p>${text.userAgent} <code>${userAgent}</code></p>
<p>${text.contact} !${contactLink(contact)}</p>`,
  );
}

function requestsSection({ about: { softwareId, limits } }: AboutView, { words: { about, format } }: Site): string {
  const { requests: text } = about;
  const { paths, listed } = text;
  return panel(
    'requests',
    text.title,
    html`<p>${paths.before} <code>/robots.txt</code>, <code>/api/v1/config</code> ${paths.and} <code>/.well-known/nodeinfo</code> ${paths.after}
${listed.before} <code>${softwareId}</code> ${listed.after}</p>
<p>${text.limits(format.number(limits.visitSeconds), format.number(limits.bodyKiB))}</p>`,
  );
}

function oftenSection({ about }: AboutView, { words: { about: words, format } }: Site): string {
  const { often: text } = words;
  const { intervals, maxHours, jitter, limits } = about;
  const duration = (hours: number) => {
    if (hours < 1) return text.minutes(format.number(Math.round(hours * 60)));
    if (hours < 48) return hours === 1 ? text.oneHour : text.hours(format.number(rounded(hours)));
    return text.days(format.number(rounded(hours / 24)));
  };
  const rows = intervals.map(({ after, hours, doubles }) => {
    const isDoubled = doubles && hours < maxHours;
    const wait = isDoubled ? text.doubled(duration(hours), duration(maxHours)) : duration(hours);
    return html`<tr><td>${text.intervals[after]}</td><td>${wait}</td></tr>`;
  });
  const limitText = (limit: number) => (limit === 0 ? text.unlimited : text.atMost(format.number(limit)));
  return panel(
    'often',
    text.title,
    html`<table>
<thead><tr><th scope="col">${text.after}</th><th scope="col">${text.wait}</th></tr></thead>
<tbody>!${rows}</tbody>
</table>
<p>${text.jitter(format.percent(jitter), duration(maxHours))}</p>
<ul>
<li>${text.perSecond(limitText(limits.visitsPerSecond))}</li>
<li>${text.perAddress(limitText(limits.perAddress))}</li>
<li>${text.perDomain(limitText(limits.perRegistrableDomain))}</li>
</ul>`,
  );
}

function storesSection({ about: { retention } }: AboutView, { words: { about, format } }: Site): string {
  const { stores: text } = about;
  const { visitsDays, stepsDays, documentsDays } = retention;
  return panel(
    'stores',
    text.title,
    html`<p>${text.facts}</p>
<p>${text.visits(format.number(visitsDays), format.number(stepsDays), format.number(documentsDays))}</p>
<p>${text.files}</p>`,
  );
}

function awaySection({ about, optOuts }: AboutView, { words: { about: words, format } }: Site): string {
  const { away: text } = words;
  const { robots, robotsToken, contact } = about;
  return panel(
    'away',
    text.title,
    html`<p>${text.robots[robots]}</p>
<p>${text.block}</p>
<pre tabindex="0"><code>User-agent: ${robotsToken}
Disallow: /</code></pre>
<p>${text.noindex.before} <code>X-Robots-Tag: noindex</code> ${text.noindex.after}</p>
<p>${text.write.before} !${contactLink(contact)}: ${text.write.after} ${text.optOuts(format.number(optOuts))}</p>`,
  );
}

function listedSection({ canCheck }: AboutView, { words: { about }, links, mode }: Site): string {
  const { listed: text } = about;
  if (mode === 'static') return '';
  return panel(
    'listed',
    text.title,
    html`<p>${text.text}</p>
!${canCheck ? html`<p class="actions"><a class="button quiet" href="${links.page('/check')}">${text.check}</a></p>` : ''}`,
  );
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

/** What the crawler is and does. */
const page: SitePage = {
  path: '/about',
  // Depends on the settings and on the totals of the domains, which change independently.
  answer: (_request, { about, directory, check }, site) =>
    aboutPage({ about: about(), optOuts: directory.domainTotals().optOutCount, canCheck: check !== null }, site),
};

export const aboutRoutes: readonly SitePage[] = [page];
