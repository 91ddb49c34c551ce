import { html } from 'ghtml';
import type { InstanceView } from '../../directory/instance/instance-view.ts';
import { BADGE_STYLES, type BadgeStyle } from '../../report/badge.ts';
import { checkButtons, type Offers } from '../check/check-buttons.ts';
import type { Site } from '../site.ts';
import { badgeFile, STYLES } from './instance-badge.ts';

/** What the operator of the instance can do. */
export function operatorSection(view: InstanceView & Offers, site: Site): string {
  const { entry, canCheck, canRevisit } = view;
  const { words, links, mode, base } = site;
  const { yours: text } = words.instance;
  const { domain } = entry;
  return html`<section class="panel" aria-labelledby="yours">
<h2 id="yours">${text.title}</h2>
<div class="offers">
<div><h3>${text.check}</h3><p>${text.checkText}</p>!${canCheck || canRevisit ? html`<p>!${checkButtons(domain, view, site)}</p>` : ''}!${canCheck ? '' : html`<p><code>loopscout check ${domain}</code></p>`}</div>
<div><h3>${text.follow}</h3><p>${text.followText}</p><p><a href="${links.file(`instances/${domain}/feed.atom`)}">${text.feed}</a></p></div>
<div><h3>${text.leave}</h3><p>${text.leaveText}</p><p><a href="${links.about()}#away">${text.optOut}</a></p></div>
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
