import { html } from 'ghtml';
import type { TrendsView } from '../../directory/trends.ts';
import { distinctName } from '../../model/text/quoted-name.ts';
import { barList } from '../charts/bar-list.ts';
import type { Site } from '../site.ts';

const MAX_NAMES = 12;
const MAX_REASONS = 12;

/** What the known domains run. */
export function softwareSection({ stats, software }: TrendsView, { words }: Site): string {
  const { software: text } = words.stats;
  const { number } = words.format;
  const shown = software.software.slice(0, MAX_NAMES);
  const others = software.software.slice(MAX_NAMES).reduce((sum, { domains }) => sum + domains, software.others);
  const rows = [
    ...shown.map(({ name, domains }, index) => ({
      label: distinctName(name),
      value: domains,
      stat: `software.${index}.domains`,
    })),
    ...(others > 0 ? [{ label: text.others, value: others, kind: 'colour-other' }] : []),
    { label: text.unknown, value: software.unknown, kind: 'colour-other' },
  ].map((row) => ({ ...row, text: number(row.value) }));
  return html`<section class="panel" aria-labelledby="software">
<h2 id="software">${text.title}</h2>
!${stats.domains.visited === 0 ? html`<p class="soft">${text.noVisits}</p>` : html`<p class="soft">${text.lead(number(stats.domains.domains))}</p>!${barList(rows, stats.domains.domains)}`}
</section>`;
}

/** Why the last visits of domains did not identify them. */
export function failuresSection({ stats }: TrendsView, { words }: Site): string {
  const { failures: text } = words.stats;
  const { number } = words.format;
  const { reasons, domains } = stats;
  const total = reasons.reduce((sum, { domains }) => sum + domains, 0);
  const others = reasons.slice(MAX_REASONS).reduce((sum, { domains }) => sum + domains, 0);
  const rows = [
    ...reasons.slice(0, MAX_REASONS).map(({ reason, domains }, index) => ({
      ...{ label: text.means[reason], value: domains, stat: `reasons.${index}.domains` },
      kind: 'colour-no',
    })),
    ...(others > 0 ? [{ label: text.others, value: others, kind: 'colour-other' }] : []),
  ].map((row) => ({ ...row, text: number(row.value) }));
  return html`<section class="panel" aria-labelledby="failures">
<h2 id="failures">${text.title}</h2>
!${
    rows.length === 0
      ? html`<p class="soft">${domains.visited === 0 ? text.noVisits : text.none}</p>`
      : html`<p class="soft">${text.lead(number(total), number(domains.visited))}</p>!${barList(rows, domains.visited)}`
  }
</section>`;
}

/** How many instances are known, and how many there may be. */
export function estimateSection({ stats }: TrendsView, { words }: Site): string {
  const { estimate: text } = words.stats;
  const { number } = words.format;
  const { listedBy, known, atLeast, sources } = stats.population;
  const sentence =
    atLeast !== null
      ? text.atLeast(number(known), number(atLeast), number(sources))
      : sources < 2
        ? text.fewSources(number(known))
        : text.littleOverlap(number(known));
  const rows = (['none', 'one', 'two', 'more'] as const).map((key) => ({
    ...{ label: text[key], value: listedBy[key], text: number(listedBy[key]) },
    stat: `population.listedBy.${key}`,
  }));
  return html`<section class="panel" aria-labelledby="estimate">
<h2 id="estimate">${text.title}</h2>
<p>${sentence}</p>
<p class="soft">${text.assumption}</p>
<h3>${text.listedBy}</h3>
!${barList(rows, known)}
</section>`;
}
