import { html } from 'ghtml';
import type { InstanceView } from '../../directory/instance/instance-view.ts';
import { describeOutcome, underlyingReason } from '../../model/step.ts';
import type { StoredVisit } from '../../store/visits/visit-log.ts';
import { verdictTag } from '../domain/verdict-tag.ts';
import type { Site, Words } from '../site.ts';

/** The last visits, each with its outcome. */
export function visitsSection({ entry, visits }: InstanceView, site: Site): string {
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
