import { html } from 'ghtml';
import { minuteRoundedTime } from '../../directory/minute-rounded-time.ts';
import type { ExplainedVisit, Explanation } from '../../explain/explanation.ts';
import type { Domain } from '../../model/domain/domain.ts';
import { mayBePublished } from '../../model/domain-record.ts';
import { checkButtons, type Offers, offersOf } from '../check/check-buttons.ts';
import { PageError } from '../error-page.ts';
import { hostingText } from '../fact-text.ts';
import { changeItems } from '../instance/changes-section.ts';
import { renderPage } from '../layout.ts';
import type { Site } from '../site.ts';
import type { SiteAnswer, SitePage } from '../site-page.ts';
import { parseEnteredDomain } from './parse-entered-domain.ts';
import { unknownOffers } from './unknown-offers.ts';
import { verdictTag } from './verdict-tag.ts';

interface DomainView extends Offers {
  readonly explanation: Explanation;
}

function domainPage(view: DomainView, site: Site): string {
  const { explanation } = view;
  const { domain: words } = site.words;
  const { domain, listed, visits } = explanation;
  const { withTimes } = site.words.format;
  const [headline, why] = [withTimes(explanation.headline), withTimes(explanation.why)];
  const title = words.title(domain);
  const content = html`<div class="hero">
<p class="tags">!${listingTag(explanation, site)}</p>
<h1>${domain}</h1>
<p>${headline}</p>
</div>
<div class="columns">
<div>
<section class="panel" aria-labelledby="why">
<h2 id="why" class="unseen">${title}</h2>
<p>${why}</p>
!${listed ? html`<p class="more"><a href="${site.links.instance(domain)}">${words.toInstance}</a></p>` : ''}
</section>
!${curesSection(explanation, site)}
<section class="panel" aria-labelledby="visits">
<h2 id="visits">${words.visits}</h2>
!${visits.length === 0 ? html`<p>${words.noVisits}</p>` : visits.map((visit, index) => visitDetails(visit, index === 0, site))}
</section>
!${changeList(explanation, site)}
</div>
<div>
!${glanceSection(explanation, site)}
!${operatorSection(view, site)}
<p class="more"><a href="${site.links.file(`api/v1/domains/${domain}`)}">${words.toJson}</a></p>
</div>
</div>`;
  return renderPage({ title, description: headline, content }, site);
}

function listingTag({ listed, state }: Explanation, { words: { domain } }: Site): string {
  if (!listed) return html`<span class="tag">${domain.unlisted}</span>`;
  if (state === 'failing') return html`<span class="tag bad">${domain.listedAsDown}</span>`;
  return html`<span class="tag good">${domain.listed}</span>`;
}

function curesSection({ whatWouldChange }: Explanation, { words: { domain, format } }: Site): string {
  return html`<section class="panel" aria-labelledby="cures">
<h2 id="cures">${domain.whatWouldChange}</h2>
!${
    whatWouldChange.length === 0
      ? html`<p>${domain.nothingMissing}</p>`
      : html`<ul>!${whatWouldChange.map((cure) => html`<li>!${cureText(format.withTimes(cure))}</li>`)}</ul>`
  }
</section>`;
}

/** The first line is prose; the others are to be copied. */
function cureText(cure: string): string {
  const [first = '', ...copied] = cure.split('\n');
  return html`${first}!${copied.length === 0 ? '' : html`<pre tabindex="0"><code>${copied.join('\n')}</code></pre>`}`;
}

function glanceSection(explanation: Explanation, { words }: Site): string {
  const { domain: text, format } = words;
  const { asOf, state, since, lastVisit, lastSeen, firstSeen, nextVisit, nextVisitWhy, via, hosting } = explanation;
  const where = hosting === null ? null : hostingText(hosting, words);
  const now = Date.parse(asOf);
  const time = (iso: string) =>
    html`<time datetime="${iso}">${format.ago(iso, now)}</time> <span class="soft">${format.dateTime(iso)}</span>`;
  const row = (label: string, value: string) => html`<div><dt>${label}</dt><dd>!${value}</dd></div>`;
  return html`<section class="panel" aria-labelledby="glance">
<h2 id="glance">${text.glance}</h2>
<dl class="rows">
!${state === null || since === null ? '' : row(text.state, html`${text.states[state]} <span class="soft">${text.since(format.dateTime(since))}</span>`)}
!${row(text.lastVisit, lastVisit === null ? html`${text.never}` : time(lastVisit))}
!${lastSeen === lastVisit ? '' : row(text.lastSeen, lastSeen === null ? html`${text.never}` : time(lastSeen))}
!${via === null ? '' : row(text.identifiedBy, html`${text.via[via]}`)}
!${where === null ? '' : row(text.hosting, html`${where}`)}
!${firstSeen === null ? '' : row(text.known, html`${format.date(firstSeen)}`)}
!${nextVisit === null ? '' : row(text.nextVisit, html`!${Date.parse(nextVisit) <= now ? html`${text.due}` : time(nextVisit)} <span class="soft">${nextVisitWhy ?? ''}</span>`)}
</dl>
</section>`;
}

function visitDetails(visit: ExplainedVisit, isOpen: boolean, site: Site): string {
  const { domain: text, format } = site.words;
  const { visitedAt, verdict, means, steps } = visit;
  const body =
    steps === null
      ? html`<p>${text.stepsDeleted}</p>`
      : steps.length === 0
        ? html`<p>${text.noSteps}</p>`
        : html`<ol class="steps">!${steps.map(
            ({ what, came, ms, url }) =>
              html`<li><span>${what}</span> <span>${came}</span> <span class="soft">${text.milliseconds(format.number(ms))}</span>
<span class="soft address">${url}</span></li>`,
          )}</ol>`;
  return html`<details class="visit" !${isOpen ? 'open' : ''}>
<summary><time datetime="${visitedAt}">${format.dateTime(visitedAt)}</time> !${verdictTag(verdict, site)} <span>${means}</span></summary>
!${body}
</details>`;
}

/** In the words and the form of the page of an instance. */
function changeList({ changes }: Explanation, { words }: Site): string {
  const items = changeItems(
    changes.map(({ changedAt, before, after, ...rest }) => ({
      ...{ ...rest, at: Date.parse(changedAt), from: before, to: after },
    })),
    words,
  );
  if (items.length === 0) return '';
  return html`<section class="panel" aria-labelledby="changes">
<h2 id="changes">${words.instance.changes.title}</h2>
<ol class="change-list">!${items}</ol>
</section>`;
}

function operatorSection(view: DomainView, site: Site): string {
  const { words, links } = site;
  const { yours: text } = words.domain;
  return html`<section class="panel" aria-labelledby="yours">
<h2 id="yours">${text.title}</h2>
<p>${view.canCheck || view.canRevisit ? text.textWithCheck : text.text}</p>
<p class="actions">!${checkButtons(view.explanation.domain, view, site)}
<a class="button quiet" href="${links.page('/about')}#away">${text.optOut}</a></p>
</section>`;
}

/** Number of visits shown step by step. */
const VISITS = 5;

const domain: SitePage = {
  path: '/domains/{domain}',
  answer({ parameters }, context, site) {
    const text = parameters.domain ?? '';
    const parsed = parseEnteredDomain(text, context);
    if (parsed === null) throw new PageError(404, site.words.domain.search.notDomain);
    const record = context.reader.domains.find(parsed);
    if (record === null || !mayBePublished(record)) return unknownDomain(parsed, site);
    const now = minuteRoundedTime(record, context.now());
    const explanation = context.explain(parsed, { visits: VISITS, now });
    return domainPage({ explanation, ...offersOf(context) }, site);
  },
};

/** Leads from what was entered to the page of that domain, if it is known, or to the search in the directory. */
const search: SitePage = {
  path: '/domains',
  answer({ query }, context, site): SiteAnswer {
    const text = (query.get('q') ?? '').trim();
    const domain = parseEnteredDomain(text, context);
    if (domain !== null) {
      if (context.directory.snapshot().byDomain.has(domain)) return { location: site.links.instance(domain) };
      const record = context.reader.domains.find(domain);
      if (record !== null && mayBePublished(record)) return { location: site.links.domain(domain) };
    }
    return { location: site.links.directory(text === '' ? '' : String(new URLSearchParams({ q: text }))) };
  },
};

/** The same page for unknown domains, opt-outs and domains that ask not to be published, so that users cannot tell them apart. */
function unknownDomain(domain: Domain, site: Site): SiteAnswer {
  const { unknown } = site.words.domain;
  const content = html`<div class="notice">
<h1>${unknown.title}</h1>
<p>${unknown.text(domain)}</p>
<p class="actions">!${unknownOffers(domain, site)}</p>
</div>`;
  const body = renderPage({ title: unknown.title, description: unknown.title, isNoindex: true, content }, site);
  return { status: 404, body, cacheControl: 'no-store' };
}

export const domainRoutes: readonly SitePage[] = [domain, search];
