import { html } from 'ghtml';
import type { InstanceView } from '../../directory/instance/instance-view.ts';
import { FACT_LEAVES, type FactLeaf, HOSTING_LEAVES } from '../../model/facts/fact-leaves.ts';
import type { FactMeta } from '../../model/facts/instance-facts.ts';
import { factText } from '../fact-text.ts';
import type { Site, Words } from '../site.ts';

/** The groups of facts, by the first part of their paths. The name and the description are in the head of the page. */
const GROUPS = {
  about: ['version', 'registration', 'federation'],
  features: ['features'],
  limits: ['limits'],
  usage: ['usage'],
  hosting: ['hosting'],
} as const;

const LABELLED = [...FACT_LEAVES, ...HOSTING_LEAVES].filter(({ meta }) => meta.label !== undefined);

/**
 * Every fact with the document that reports it and the day it was last read, and what is unusual about the instance. Nothing is said about
 * addresses when nothing is known.
 */
export function factsSection({ entry, readAt }: InstanceView, { words }: Site): string {
  const { facts: text, flags } = words.instance;
  const { format } = words;
  const row = ({ path, meta, ageKey, get }: FactLeaf) => {
    const value = factText({ path, meta }, get(entry), words);
    const read = readAt[ageKey];
    const dayRead = value === null || read === undefined ? '' : ` · ${format.date(read)}`;
    return html`<div><dt>${text.labels[path]}</dt><dd><span data-fact="${path}" class="${value === null ? 'unknown' : 'value'}">${value ?? unknownText(meta, text)}</span><small>${documentOf(meta, text)}${dayRead}</small></dd></div>`;
  };
  const group = ([name, parts]: [string, readonly string[]]) =>
    html`<div><h3>${text.groups[name as keyof typeof GROUPS]}</h3><dl class="facts">!${LABELLED.filter(({ path }) => parts.includes(path.split('.')[0] ?? '')).map(row)}</dl></div>`;
  const isHostingKnown = HOSTING_LEAVES.some(({ get }) => get(entry) !== null);
  return html`<section class="panel" aria-labelledby="facts">
<h2 id="facts">${text.title}</h2>
<p class="soft">${text.lead(format.dateTime(entry.checkedAt))}</p>
!${
    entry.flags.length === 0
      ? ''
      : html`<div class="remarks"><h3 class="remarks-title">${flags.title}</h3><ul>!${entry.flags.map((flag) => html`<li>${flags.means[flag]}</li>`)}</ul></div>`
  }
<div class="fact-groups">!${Object.entries(GROUPS)
    .filter(([name]) => name !== 'hosting' || isHostingKnown)
    .map(group)}</div>
</section>`;
}

function isReported({ config, nodeinfo }: FactMeta): boolean {
  return config !== undefined || nodeinfo !== undefined;
}

function unknownText(meta: FactMeta, text: Words['instance']['facts']): string {
  return isReported(meta) ? text.unknown : text.unknownByAddress;
}

function documentOf(meta: FactMeta, text: Words['instance']['facts']): string {
  const { config, nodeinfo } = meta;
  if (!isReported(meta)) return text.address;
  if (config === undefined) return text.nodeinfo;
  return nodeinfo === undefined ? text.config : text.either;
}
