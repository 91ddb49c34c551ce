import { html } from 'ghtml';
import { type Filter, filtersOf, type Name, withFilter, withoutFilter } from '../../directory/browse/choice.ts';
import { type Minimum, STEPS } from '../../directory/measures.ts';
import { FEATURES } from '../../model/facts/fact-leaves.ts';
import { icon } from '../icons.ts';
import type { Site } from '../site.ts';
import { urlOf } from './choice-url.ts';
import type { DirectoryView } from './directory-view.ts';
import { optionName } from './filter-names.ts';

/** More names would bury the other filters. */
const MAX_NAMES = 6;

const REGISTRATIONS = ['open', 'approval', 'closed', 'unknown'] as const;
const STANDINGS = ['current', 'behind', 'far-behind', 'unknown'] as const;
const STATUSES = ['up', 'down'] as const;

/** All filters, each with the number of instances that it would find. */
export function filterPanel(view: DirectoryView, site: Site): string {
  const { filters } = site.words.directory;
  const { format } = site.words;
  const { facets, found } = view;
  const chosenCount = filtersOf(view.place.choice).length;
  const group = (key: Exclude<Filter['key'], 'q'>, rows: readonly string[], note = '') =>
    html`<section><h3>${filters[key]}</h3><ul class="!${key in STEPS ? 'minimums' : ''}">!${rows}</ul><p class="rest" data-rest="${key}" !${note === '' ? 'hidden' : ''}>${note}</p></section>`;
  const row = (filter: Filter, count: number) => option(filter, count, view, site);
  const steps = (key: Minimum) => {
    const unknown = facets[key].get(null) ?? 0;
    return group(
      key,
      STEPS[key].map((value) => row({ key, value }, facets[key].get(value) ?? 0)),
      unknown === 0 ? '' : filters.unknown(format.number(unknown)),
    );
  };
  const names = (key: Name) => {
    const known = [...facets[key]].flatMap(([value, count]) => (value === null ? [] : [{ value, count }]));
    // Without a database of the crawler, no country or network is known.
    if (known.length === 0) return '';
    const shown = known.filter(({ value }, index) => index < MAX_NAMES || value === view.place.choice[key]);
    const others = known.filter((one) => !shown.includes(one)).reduce((sum, { count }) => sum + count, 0);
    const notes = [
      ...(others > 0 ? [filters.others[key](format.number(others))] : []),
      filters.unknown(format.number(facets[key].get(null) ?? 0)),
    ];
    return group(
      key,
      shown.map(({ value, count }) => row({ key, value }, count)),
      notes.join(' · '),
    );
  };
  return html`<details class="filters">
<summary>!${icon('filter')}<span>${filters.title}</span><span class="tag good" !${chosenCount === 0 ? 'hidden' : ''}>${filters.chosen(format.number(chosenCount))}</span></summary>
<h2 class="unseen">${filters.title}</h2>
!${group(
    'registration',
    REGISTRATIONS.map((value) => row({ key: 'registration', value }, facets.registration.get(value) ?? 0)),
  )}
!${group(
    'standing',
    STANDINGS.map((value) => row({ key: 'standing', value }, facets.standing.get(value) ?? 0)),
    filters.standings,
  )}
!${steps('maxVideoSizeMB.min')}
!${steps('maxVideoDurationSeconds.min')}
!${group(
    'feature',
    FEATURES.map(({ key }) => row({ key: 'feature', value: key }, facets.feature.get(key) ?? 0)),
    filters.unknownFeatures(format.number(facets.featuresUnknown)),
  )}
!${steps('growth.min')}
!${steps('ageDays.min')}
!${names('version')}
!${names('country')}
!${names('network')}
!${group(
    'status',
    STATUSES.map((value) => row({ key: 'status', value }, facets.status.get(value) ?? 0)),
    filters.unknownStatus,
  )}
<p class="show"><a class="button" href="#results">${filters.show(found, format.number(found))}</a></p>
</details>`;
}

/** A link that adds a filter, or removes it when it is chosen. A filter that would find nothing has no `href`. */
function option(filter: Filter, count: number, { place, base }: DirectoryView, { words, links }: Site): string {
  const isChosen = filtersOf(place.choice).some(({ key, value }) => key === filter.key && value === filter.value);
  const name = optionName(filter, words);
  const number = words.format.number(count);
  const content = html`<span>${name}</span><span class="count">${number}</span>`;
  const data = html`data-filter="${filter.key}" data-value="${filter.value}"`;
  if (count === 0 && !isChosen) return html`<li><a class="option" !${data}>!${content}</a></li>`;
  const choice = isChosen ? withoutFilter(base, filter) : withFilter(base, filter);
  const url = urlOf({ ...place, choice, page: 1 }, links);
  return html`<li><a class="option" href="${url}" !${data} !${isChosen ? 'aria-current="true"' : ''}>!${
    isChosen ? icon('check') : ''
  }!${content}</a></li>`;
}
