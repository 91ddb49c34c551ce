import { html } from 'ghtml';
import type { InstanceView } from '../../directory/instance/instance-view.ts';
import { checkButtons, type Offers } from '../check/check-buttons.ts';
import type { Site } from '../site.ts';

/** What the operator of the instance can do. */
export function operatorSection(view: InstanceView & Offers, site: Site): string {
  const { entry, canCheck, canRevisit } = view;
  const { words, links, mode, base } = site;
  const { yours: text } = words.instance;
  const { domain } = entry;
  const badge = `instances/${domain}/badge.svg`;
  // The snippet is for other sites, so it needs the URL of this one.
  const snippet =
    base === null
      ? null
      : `<a href="${base}/instances/${domain}"><img src="${base}/${badge}" alt="${text.badgeAlt(domain)}" height="20"></a>`;
  return html`<section class="panel" aria-labelledby="yours">
<h2 id="yours">${text.title}</h2>
<div class="offers">
<div><h3>${text.check}</h3><p>${text.checkText}</p>!${canCheck || canRevisit ? html`<p>!${checkButtons(domain, view, site)}</p>` : ''}!${canCheck ? '' : html`<p><code>loopscout check ${domain}</code></p>`}</div>
<div><h3>${text.badge}</h3><p>${text.badgeText}</p>
<p><img src="${links.file(badge)}" alt="${text.badgeAlt(domain)}" height="20"></p>
!${snippet === null ? '' : html`<label class="snippet">${text.badgeHtml}<textarea rows="3" readonly spellcheck="false">${snippet}</textarea></label>`}</div>
<div><h3>${text.follow}</h3><p>${text.followText}</p><p><a href="${links.file(`instances/${domain}/feed.atom`)}">${text.feed}</a></p></div>
<div><h3>${text.leave}</h3><p>${text.leaveText}</p><p><a href="${links.about()}#away">${text.optOut}</a></p></div>
</div>
!${mode === 'live' ? html`<p class="more"><a href="${links.domain(domain)}">${words.instance.why}</a></p>` : ''}
</section>`;
}
