import { html } from 'ghtml';
import type { InstanceView } from '../../directory/instance/instance-view.ts';
import { joinabilityOf } from '../../directory/joinability.ts';
import { areCountsImplausible } from '../../model/facts/usage-flags.ts';
import { describeOutcome } from '../../model/step.ts';
import type { Offers } from '../check/check-buttons.ts';
import { face } from '../directory/face.ts';
import { fullTag, registrationTag, shortened, versionTag } from '../directory/instance-card.ts';
import { icon } from '../icons.ts';
import { renderPage } from '../layout.ts';
import type { Site } from '../site.ts';
import { changesSection } from './changes-section.ts';
import { factsSection } from './facts-section.ts';
import { historySection } from './history-section.ts';
import { operatorSection } from './operator-section.ts';
import { uptimeSection } from './uptime-section.ts';
import { visitsSection } from './visits-section.ts';

/** Everything known about one instance. */
export function instancePage(view: InstanceView & Offers, site: Site): string {
  const { words, links } = site;
  const { instance: text } = words;
  const { domain, name } = view.entry;
  const feed = html`<link rel="alternate" type="application/atom+xml" title="${text.feed.title(domain)}" href="${links.file(`instances/${domain}/feed.atom`)}">`;
  const content = html`<p class="back"><a href="${links.directory()}">${text.back}</a></p>
!${head(view, site)}
!${uptimeSection(view, site)}
!${historySection(view, site)}
!${factsSection(view, site)}
<div class="pair">!${changesSection(view, site)}!${visitsSection(view, site)}</div>
!${operatorSection(view, site)}`;
  return renderPage(
    {
      title: name === null || name === domain ? domain : text.title(name, domain),
      description: descriptionOf(view, site),
      head: feed,
      content,
    },
    site,
  );
}

/** What it says of itself, and what newcomers choose by. */
function descriptionOf({ entry, filterValues }: InstanceView, { words }: Site): string {
  const { instance: text, directory, format } = words;
  const { domain, description, status, usage, uptime, flags } = entry;
  const { version, registration } = filterValues;
  const users = areCountsImplausible(usage, flags) ? null : usage.users;
  const facts = [
    status === 'down' ? directory.statusFilter.down : '',
    text.described.registration[registration],
    version === null ? '' : text.described.version(version),
    users === null ? '' : text.described.users(format.number(users)),
    uptime.month === null ? '' : text.described.uptime(format.percent(uptime.month)),
  ];
  const sentence = text.description(domain, facts.filter((fact) => fact !== '').join(', '));
  return [shortened(description ?? ''), sentence].join(' ').trim();
}

function head(view: InstanceView, site: Site): string {
  const { filterValues } = view;
  const { instance: text } = site.words;
  const { domain, url, name, description, status, joinable } = view.entry;
  const why = site.words.directory.join.reasons[joinabilityOf(view.entry)];
  return html`<header class="instance-head">
!${face(domain)}<h1>${name ?? domain}</h1>
<p class="domain">${name === null ? text.nameless : domain}</p>
<p class="tags"><span class="tag ${status === 'up' ? 'good' : 'bad'}">!${icon(status === 'up' ? 'check' : 'down')}${text.status[status]}</span>!${fullTag(registrationTag(view.entry, filterValues, site.words))}!${fullTag(versionTag(filterValues, site.words))}</p>
<p class="lead">${description ?? text.noDescription}</p>
!${status === 'down' ? downNotice(view, site) : ''}
<p><a class="${status === 'down' ? 'button quiet' : 'button'}" href="${url}" rel="nofollow noopener">${text.open}!${icon('leave')}<span class="unseen"> (${text.openNote(domain)})</span></a></p>
<p class="soft" data-joinable="${joinable}">${joinable ? text.joinable(why) : text.notJoinable(why)}</p>
</header>
!${figures(view, site)}`;
}

function downNotice({ entry, record, at }: InstanceView, { words, links, mode }: Site): string {
  const { instance: text, format } = words;
  const { failingSince, failures, reason, nextVisit } = record;
  const since =
    failingSince === null ? text.downNow : text.downSince(format.dateTime(failingSince), format.age(at - failingSince));
  const sentences = [
    failures > 0 ? text.downFailures(failures, format.number(failures)) : '',
    reason === null ? '' : text.downWhy(describeOutcome(reason, reason)),
    nextVisit === null ? '' : nextVisit <= at ? text.downNextNow : text.downNext(format.dateTime(nextVisit)),
    text.downFacts,
  ];
  return html`<div class="panel alarm"><p><strong>${since}</strong></p>
<p>${sentences.filter((sentence) => sentence !== '').join(' ')}</p>
!${mode === 'live' ? html`<p><a href="${links.domain(entry.domain)}">${text.why}</a></p>` : ''}</div>`;
}

function figures({ entry }: InstanceView, { words }: Site): string {
  const { instance: text, format, frame } = words;
  const { usage, uptime, firstSeen, flags } = entry;
  const observed = text.figures.observed(format.percent(uptime.coverage.month));
  const rows: readonly (readonly [label: string, fact: string, value: string, note?: string])[] = [
    [text.figures.users, 'usage.users', count(usage.users)],
    [text.figures.activeMonth, 'usage.activeMonth', count(usage.activeMonth)],
    [text.figures.posts, 'usage.posts', count(usage.posts)],
    [
      text.figures.uptime,
      'uptime.month',
      uptime.month === null ? frame.unknown : format.percent(uptime.month),
      observed,
    ],
    [text.figures.since, 'firstSeen', format.date(firstSeen)],
  ];
  function count(value: number | null): string {
    return value === null ? frame.unknown : format.number(value);
  }
  return html`<dl class="figures big">!${rows.map(
    ([label, fact, value, note]) =>
      html`<div><dt>${label}!${note === undefined ? '' : html` <small>${note}</small>`}</dt><dd class="${value === frame.unknown ? 'none' : ''}" data-figure="${fact}">${value}</dd></div>`,
  )}</dl>
!${areCountsImplausible(usage, flags) ? html`<p class="soft">${text.implausible}</p>` : ''}`;
}
