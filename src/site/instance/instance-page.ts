import { html } from 'ghtml';
import type { InstanceView } from '../../directory/instance/instance-view.ts';
import { joinabilityOf } from '../../directory/joinability.ts';
import { areCountsImplausible } from '../../model/facts/usage-flags.ts';
import { describeOutcome, underlyingReason } from '../../model/step.ts';
import { BADGE_STYLES, type BadgeStyle } from '../../report/badge.ts';
import type { StoredVisit } from '../../store/visits/visit-log.ts';
import { checkButtons, type Offers } from '../check/check-buttons.ts';
import { face } from '../directory/face.ts';
import { fullTag, registrationTag, shortened, versionTag } from '../directory/instance-card.ts';
import { verdictTag } from '../domain/verdict-tag.ts';
import { icon } from '../icons.ts';
import { renderPage } from '../layout.ts';
import type { Site, Words } from '../site.ts';
import { changesSection } from './changes-section.ts';
import { factsSection } from './facts-section.ts';
import { historySection } from './history-section.ts';
import { badgeFile, STYLES } from './instance-badge.ts';
import { uptimeSection } from './uptime-section.ts';

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

function visitsSection({ entry, visits }: InstanceView, site: Site): string {
  const { words, links, mode } = site;
  const { visits: text, history } = words.instance;
  const { format } = words;
  const rows = visits.map(
    (visit) =>
      html`<tr><td><time datetime="${new Date(visit.at).toISOString()}">${format.dateTime(visit.at)}</time></td>
<td>!${verdictTag(visit.verdict, site)} ${outcomeWords(visit, words)}</td>
<td class="number">${history.ms(format.number(visit.durationMs))}</td></tr>`,
  );
  return html`<section class="panel" aria-labelledby="visits">
<h2 id="visits">${text.title}</h2>
<div class="scroll" tabindex="0" role="region" aria-label="${text.caption(entry.domain)}"><table class="visits">
<caption class="unseen">${text.caption(entry.domain)}</caption>
<thead><tr><th scope="col">${text.at}</th><th scope="col">${text.outcome}</th><th scope="col" class="number">${text.duration}</th></tr></thead>
<tbody>!${rows.join('\n')}</tbody>
</table></div>
!${mode === 'live' ? html`<p class="more"><a href="${links.domain(entry.domain)}">${text.steps}</a></p>` : ''}
</section>`;
}

function outcomeWords({ verdict, reason, version, software, aliasOf, steps }: StoredVisit, words: Words): string {
  const { visits: text } = words.instance;
  if (verdict === 'loops') return version ?? text.versionUnknown;
  if (verdict === 'alias') return text.redirects(aliasOf ?? text.elsewhere);
  if (verdict === 'other') return [software, version].filter((part) => part !== null).join(' ');
  return describeOutcome(reason, underlyingReason(reason, steps));
}

function operatorSection(view: InstanceView & Offers, site: Site): string {
  const { entry, canCheck, canRevisit } = view;
  const { words, links, mode, base } = site;
  const { yours: text } = words.instance;
  const { domain } = entry;
  return html`<section class="panel" aria-labelledby="yours">
<h2 id="yours">${text.title}</h2>
<div class="offers">
<div><h3>${text.check}</h3><p>${text.checkText}</p>!${canCheck || canRevisit ? html`<p>!${checkButtons(domain, view, site)}</p>` : ''}!${canCheck ? '' : html`<p><code>loopscout check ${domain}</code></p>`}</div>
<div><h3>${text.follow}</h3><p>${text.followText}</p><p><a href="${links.file(`instances/${domain}/feed.atom`)}">${text.feed}</a></p></div>
<div><h3>${text.leave}</h3><p>${text.leaveText}</p><p><a href="${links.page('/about')}#away">${text.optOut}</a></p></div>
</div>
<h3>${text.badge}</h3>
<p>${text.badgeText} ${base === null ? '' : text.badgeCopy}</p>
<ul class="badges">!${STYLES.map((style) => html`<li>!${badge(style, domain, site)}</li>`)}</ul>
!${mode === 'live' ? html`<p class="more"><a href="${links.domain(domain)}">${words.instance.why}</a></p>` : ''}
</section>`;
}

/** A badge with the HTML that shows it on another site, for which the URL of this one must be known. */
function badge(style: BadgeStyle, domain: string, { words, links, mode, base }: Site): string {
  const { yours: text } = words.instance;
  const path = `instances/${domain}/${badgeFile(style, mode)}`;
  const alt = text.badgeAlt(domain);
  const image = (src: string) => html`<img src="${src}" alt="${alt}" height="${BADGE_STYLES[style].height}">`;
  if (base === null) return image(links.file(path));
  const snippet = html`<a href="${base}/instances/${domain}/">!${image(`${base}/${path}`)}</a>`;
  return html`!${image(links.file(path))}
<input readonly value="${snippet}" aria-label="${text.badgeHtml(text.badgeStyles[style])}" spellcheck="false">
<button type="button" class="quiet copy" data-copied="${text.copied}">${text.copy}<span class="unseen"> (${text.badgeStyles[style]})</span></button>`;
}
