import { html } from 'ghtml';
import { filtersOf, NO_CHOICE, ORDERS, withFilter, withoutFilter } from '../../directory/browse/choice.ts';
import { cleanIdentifier } from '../../model/text/clean-text.ts';
import { coverageText } from '../fact-text.ts';
import { icon } from '../icons.ts';
import { renderPage } from '../layout.ts';
import type { Site } from '../site.ts';
import { pathOf, queryOf, urlOf } from './choice-url.ts';
import { type CrawlNews, crawlNotice } from './crawl-notice.ts';
import type { DirectoryView } from './directory-view.ts';
import { filterName } from './filter-names.ts';
import { filterPanel } from './filter-panel.ts';
import { instanceCard } from './instance-card.ts';
import { instanceTable } from './instance-table.ts';
import { type OtherDomains, otherDomains } from './other-domains.ts';

/** What only a live page shows: what the crawler does, and other known domains that match the search. */
interface LiveParts {
  readonly news: CrawlNews | null;
  readonly others: OtherDomains | null;
}

export function directoryPage(
  view: DirectoryView,
  site: Site,
  { news, others }: LiveParts = { news: null, others: null },
): string {
  const { directory: words, format } = site.words;
  const { choice, page } = view.place;
  const filters = filtersOf(choice);
  const names = filters.map((filter) => filterName(filter, site.words)).join(', ');
  const isStart = filters.length === 0 && page === 1;
  const pageSuffix = page === 1 ? '' : ` (${words.pages.of(format.number(page), format.number(view.pages))})`;
  return renderPage(
    {
      title: (filters.length === 0 ? words.title : words.facetTitle(names)) + pageSuffix,
      description:
        filters.length === 0 ? words.description : words.facetDescription(view.found, format.number(view.found), names),
      section: '/',
      searched: choice.q,
      // Every combination of filters is a page; search engines need only pages that have a path and find something.
      isNoindex:
        pathOf(view.place) === null || (view.found === 0 && filters.length > 0) || view.place.ignored.length > 0,
      content: html`!${isStart ? hero(view, site) : html`<h1>${filters.length === 0 ? words.title : words.facetTitle(names)}</h1>`}
!${isStart && news !== null ? crawlNotice(news, view.counts.instances, site) : ''}
<div class="browse" data-mode="${site.mode}" data-query="${queryOf({ ...view.place, page: 1 })}" data-failed="${words.results.failed}">
!${filterPanel(view, site)}
!${orderField(view, site)}
!${resultsHead(view, site)}
<section class="results" aria-labelledby="results">
!${ignoredNotes(view.place, site)}
!${filters.length === 0 ? '' : chips(view, site)}
!${view.found === 0 ? nothingFound(view, site) : results(view, site)}
!${view.pages > 1 ? pageLinks(view, site) : ''}
!${others === null ? '' : otherDomains(others, site)}
</section>
</div>`,
    },
    site,
  );
}

function hero({ counts, joinable, joinabilities, facets }: DirectoryView, { words, links, mode }: Site): string {
  const { directory, format } = words;
  const { totals, join } = directory;
  const { instances, up, down, users, posts } = counts;
  const all = format.number(instances);
  const withKnownRegistration = instances - (facets.registration.get('unknown') ?? 0);
  const [first] = joinable;
  const fresh = joinabilities.find(([reason]) => reason === 'new')?.[1] ?? 0;
  const button =
    first === undefined
      ? noneJoinable(joinabilities, words)
      : html`<p class="join"><a class="button" rel="nofollow noopener" href="${mode === 'live' ? links.page('/join') : first.entry.url}">!${icon('dice')}${join[mode](joinable.length, format.number(joinable.length))}</a>
<span class="soft">${join.note} ${fresh === 0 ? '' : join.fresh(fresh, format.number(fresh))}</span></p>`;
  const total = (label: string, value: number | null, note: string) =>
    html`<div><dt>${label}</dt><dd>${value === null ? directory.card.unknown : format.number(value)}</dd><dd class="note">${note}</dd></div>`;
  return html`<div class="hero">
<h1>${directory.title}</h1>
<p>${directory.lead}!${directory.leadOrder === '' ? '' : html` <span class="hero-order">${directory.leadOrder}</span>`}</p>
!${button}
</div>
!${
    instances === 0
      ? ''
      : html`<dl class="totals" aria-label="${totals.label}">
!${total(totals.instances, instances, totals.up(format.number(up), format.number(down)))}
!${total(totals.open, facets.registration.get('open') ?? 0, totals.openOf(format.number(withKnownRegistration), all))}
!${total(totals.users, users.total, coverageText(users, instances, words))}
!${total(totals.posts, posts.total, coverageText(posts, instances, words))}
</dl>
<p class="movers-link"><a href="${links.page('/movers')}">${words.stats.movers.link}</a></p>`
  }`;
}

/** Why no instance is joinable; empty while none is listed. */
function noneJoinable(reasons: DirectoryView['joinabilities'], { directory: { join }, format }: Site['words']): string {
  if (reasons.length === 0) return '';
  const items = reasons.map(([reason, count]) => html`<li>${format.number(count)}: ${join.reasons[reason]}</li>`);
  return html`<div class="join-none"><p>${join.none}</p><ul>!${items}</ul></div>`;
}

/** The order, a field of the search form of the header. With JavaScript, which applies it at once, the button is hidden. */
function orderField({ place: { choice } }: DirectoryView, { words, mode }: Site): string {
  const { form, order } = words.directory;
  const options = ORDERS.map(
    (value) => html`<option value="${value}" !${value === choice.order ? 'selected' : ''}>${order[value]}</option>`,
  );
  return html`<p class="choose !${mode === 'static' ? 'scripted' : ''}"><label for="order">${form.order}</label>
<select id="order" name="order" form="find">!${options}</select>
<button form="find">${form.submit}</button></p>`;
}

function resultsHead(view: DirectoryView, site: Site): string {
  const { words, links } = site;
  const { results: text, views } = words.directory;
  const { choice } = view.place;
  const number = words.format.number(view.found);
  const heading =
    filtersOf(choice).length === 0
      ? text.all(view.found, number)
      : text.found(view.found, number, words.format.number(view.counts.instances));
  // The other fields of the search form.
  const hiddenFields = [...queryOf({ ...view.place, choice: { ...choice, q: '', order: 'fair' }, page: 1 })].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" form="find">`,
  );
  const viewLink = (name: 'cards' | 'table') => {
    const isShown = view.place.view === name;
    const url = urlOf({ ...view.place, view: name, page: 1 }, links);
    return html`<li><a href="${url}" data-view="${name}" !${isShown ? 'aria-current="true"' : ''}>${views[name]}</a></li>`;
  };
  return html`<div class="results-head">
<h2 id="results" aria-live="polite">${heading}</h2>
!${upCount(view, site)}
<ul class="switch" aria-label="${views.label}">!${viewLink('cards')}!${viewLink('table')}</ul>
!${hiddenFields}
</div>`;
}

/** The chosen filters, each a link that removes it. */
function chips({ place }: DirectoryView, { words, links }: Site): string {
  const { results: text } = words.directory;
  const items = filtersOf(place.choice).map((filter) => {
    const url = urlOf({ ...place, choice: withoutFilter(place.choice, filter), page: 1 }, links);
    return html`<li><a class="chip" href="${url}" data-filter="${filter.key}" data-value="${filter.value}">${filterName(filter, words)}!${icon('cross')}<span class="unseen"> (${text.remove})</span></a></li>`;
  });
  return html`<ul class="chips">!${items}<li><a class="chip plain" href="${links.directory()}">${text.clear}</a></li></ul>`;
}

/** Longer texts of a URL are cut. */
const MAX_IGNORED_LENGTH = 50;

/** What the URL asks for in vain. */
function ignoredNotes({ ignored }: DirectoryView['place'], { words }: Site): string {
  if (ignored.length === 0) return '';
  const { results: text } = words.directory;
  const cut = (one: string) => cleanIdentifier(one, MAX_IGNORED_LENGTH);
  const items = ignored.map(({ key, value, known }) =>
    value === null ? text.unknownKey(cut(key), known.join(', ')) : text.unknownValue(key, cut(value), known.join(', ')),
  );
  return html`<ul class="ignored">!${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}

/** How many of the instances found are up, with a link that hides the others. Hidden when none is down, when a status is chosen, and where filters cannot be combined. */
function upCount({ place, base, facets }: DirectoryView, { words, links }: Site): string {
  const { results: text } = words.directory;
  const { number } = words.format;
  const [up, down] = [facets.status.get('up') ?? 0, facets.status.get('down') ?? 0];
  const isStatusChosen = filtersOf(place.choice).some(({ key }) => key === 'status');
  const isHidden = down === 0 || isStatusChosen || base !== place.choice;
  const url = urlOf({ ...place, choice: withFilter(base, { key: 'status', value: 'up' }), page: 1 }, links);
  return html`<p class="up-count soft" !${isHidden ? 'hidden' : ''}><span><span>${text.up(number(up))}</span>, </span><a href="${url}" data-filter="status" data-value="up">${text.hideDown(number(down))}</a></p>`;
}

function results({ shown, place }: DirectoryView, site: Site): string {
  if (place.view === 'table') return instanceTable(shown, place, site);
  return html`<ul class="cards">!${shown.map((one) => instanceCard(one, site))}</ul>`;
}

/** Offers to remove each filter without which there would be results. */
function nothingFound({ place, without, counts }: DirectoryView, { words, links }: Site): string {
  const { results: text } = words.directory;
  if (counts.instances === 0) return html`<p class="empty">${text.empty}</p>`;
  const helpful = without.filter(({ count }) => count > 0).sort((one, other) => other.count - one.count);
  const drops = helpful.map(({ filter, count }) => {
    const url = urlOf({ ...place, choice: withoutFilter(place.choice, filter), page: 1 }, links);
    const label = text.without(filterName(filter, words), count, words.format.number(count));
    return html`<li><a class="button quiet" href="${url}">${label}</a></li>`;
  });
  const clear = urlOf({ ...place, choice: { ...NO_CHOICE, order: place.choice.order }, page: 1 }, links);
  return html`<div class="empty">
<h3>${text.none}</h3>
<ul>!${drops}<li><a class="button quiet" href="${clear}">${text.clear}</a></li></ul>
</div>`;
}

function pageLinks({ place, pages }: DirectoryView, { words, links }: Site): string {
  const { pages: text } = words.directory;
  const link = (page: number, rel: 'prev' | 'next', label: string) =>
    page < 1 || page > pages
      ? ''
      : html`<a class="button quiet" rel="${rel}" href="${urlOf({ ...place, page }, links)}">${label}</a>`;
  return html`<nav class="pages" aria-label="${text.label}">
!${link(place.page - 1, 'prev', text.previous)}
<span>${text.of(words.format.number(place.page), words.format.number(pages))}</span>
!${link(place.page + 1, 'next', text.next)}
</nav>`;
}
