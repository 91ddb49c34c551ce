import { html } from 'ghtml';
import type { InstanceView } from '../../directory/instance/instance-view.ts';
import type { Change } from '../../model/change.ts';
import type { Conclusive, DomainState } from '../../model/domain-record.ts';
import { FACT_LEAVES, HOSTING_LEAVES } from '../../model/facts/fact-leaves.ts';
import type { FactValue } from '../../model/facts/fact-value.ts';
import { InstanceFlag } from '../../model/facts/instance-facts.ts';
import { isOlder } from '../../model/facts/version-order.ts';
import { factText } from '../fact-text.ts';
import type { Site, Words } from '../site.ts';

/** Number of times with changes that are shown at once; earlier ones open on demand. */
const MAX_SHOWN = 8;

/** What changed, newest first, in words. */
export function changesSection({ entry, changes }: InstanceView, { words, links, mode }: Site): string {
  const { changes: text } = words.instance;
  const items = changeItems(changes, words);
  const earlier = items.slice(MAX_SHOWN);
  return html`<section class="panel" aria-labelledby="changes">
<h2 id="changes">${text.title}</h2>
!${items.length === 0 ? html`<p class="soft">${text.none}</p>` : html`<ol class="change-list">!${items.slice(0, MAX_SHOWN)}</ol>`}
!${
    earlier.length === 0
      ? ''
      : html`<details><summary>${text.more(words.format.number(earlier.length))}</summary><ol class="change-list">!${earlier}</ol></details>`
  }
<p class="more"><a href="${links.file(`instances/${entry.domain}/feed.atom`)}">${text.feed}</a>
!${mode === 'live' ? html`<a href="${links.file(`api/v1/instances/${entry.domain}/history`)}">${text.json}</a>` : ''}</p>
</section>`;
}

/** The changes of each time as a list item, newest first; those that mean nothing to readers are left out. */
export function changeItems(changes: readonly Change[], words: Words): string[] {
  const byTime = new Map<number, string[]>();
  for (const change of changes) {
    const sentences = changeWords(change, words);
    if (sentences.length > 0) byTime.set(change.at, [...(byTime.get(change.at) ?? []), ...sentences]);
  }
  return [...byTime].map(
    ([at, sentences]) =>
      html`<li><time datetime="${new Date(at).toISOString()}">${words.format.dateTime(at)}</time><ul>!${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul></li>`,
  );
}

const LEAVES = new Map<string, (typeof FACT_LEAVES)[number]>(
  [...FACT_LEAVES, ...HOSTING_LEAVES].map((leaf) => [leaf.path, leaf]),
);

/** A change of a domain as sentences; an empty list for changes that mean nothing to readers. */
export function changeWords(change: Change, words: Words): string[] {
  const { field, from, to } = change;
  const { changes } = words.instance;
  switch (field) {
    case 'state':
      return stateWords(change, words);
    case 'identifiedAs':
      if (to === 'loops') return [changes.identified];
      return [from === 'loops' ? changes.nowOther : changes.identifiedAs(words.domain.verdicts[to as Conclusive])];
    case 'flags':
      return flagWords(from, to, words);
    case 'description':
      return [changes.redescribed];
    case 'hosting.asn':
      // The name of the network says the same.
      return [];
    case 'version':
      if (typeof from === 'string' && typeof to === 'string') {
        return [isOlder(from, to) === true ? changes.upgraded(from, to) : changes.version(from, to)];
      }
      break;
    case 'name':
      if (typeof from === 'string' && typeof to === 'string') return [changes.renamed(from, to)];
      break;
    case 'registration.open':
    case 'federation':
      if (typeof from === 'boolean' && typeof to === 'boolean') {
        const text = field === 'federation' ? changes.federation : changes.registration;
        return [text[`${to}`]];
      }
      break;
    default:
  }
  return [factWords(change, words)];
}

function stateWords({ from, to, why }: Change, { instance, domain }: Words): string[] {
  const { changes } = instance;
  // "Went down" already says that a visit failed.
  const because = why === null || why === '' ? '' : changes.because(why.replace(/^failed: /, ''));
  if (to === 'failing' && from !== 'new') return [changes.down(because)];
  if (to === 'active' && from === 'failing') return [changes.up(because)];
  if (to === 'active' && from === 'new') return [];
  return [changes.state(domain.states[to as DomainState], because)];
}

function flagWords(from: FactValue, to: FactValue, { instance }: Words): string[] {
  const { changes, flags } = instance;
  const [before, after] = [flagsIn(from), flagsIn(to)];
  return [
    ...after.filter((flag) => !before.includes(flag)).map((flag) => changes.flagged(flags.means[flag])),
    ...before.filter((flag) => !after.includes(flag)).map((flag) => changes.unflagged(flags.means[flag])),
  ];
}

function flagsIn(value: FactValue): InstanceFlag[] {
  return Array.isArray(value) ? value.flatMap((flag) => InstanceFlag.safeParse(flag).data ?? []) : [];
}

function factWords({ field, from, to }: Change, words: Words): string {
  const { changes, facts } = words.instance;
  const leaf = LEAVES.get(field);
  const what = changes.fields[field] ?? facts.labels[field] ?? field;
  if (leaf?.parent === 'features' && typeof from === 'boolean' && typeof to === 'boolean') {
    return changes.feature[`${to}`](what);
  }
  const text = (value: FactValue) => (leaf === undefined ? textOf(value) : factText(leaf, value, words)) ?? '';
  if (leaf?.parent === 'hosting')
    return changes.moved(what, text(from) || facts.unknownByAddress, text(to) || facts.unknownByAddress);
  if (to === null) return changes.lost(what);
  return from === null ? changes.learnt(what, text(to)) : changes.changed(what, text(from), text(to));
}

function textOf(value: FactValue): string {
  return Array.isArray(value) ? value.join(', ') : String(value);
}
