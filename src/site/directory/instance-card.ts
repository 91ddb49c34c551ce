import { html } from 'ghtml';
import type { FilterValues } from '../../directory/browse/filter-values.ts';
import type { InstanceEntry } from '../../directory/schema/instance-entry.ts';
import type { ListedInstance } from '../../directory/snapshot.ts';
import { LIMITS } from '../../model/facts/fact-leaves.ts';
import { factText } from '../fact-text.ts';
import { type IconName, icon } from '../icons.ts';
import type { Site } from '../site.ts';
import { face } from './face.ts';

/** An instance with what people choose it by. */
export interface InstanceWithValues {
  readonly instance: ListedInstance;
  readonly filterValues: FilterValues;
}

/** Longer descriptions are cut: a card shows three lines. */
const MAX_TEXT_LENGTH = 160;

export function instanceCard(
  { instance: { entry, counts }, filterValues }: InstanceWithValues,
  { words, links }: Site,
): string {
  const { card, features } = words.directory;
  const { format } = words;
  const { domain, name, description, uptime, status, firstSeen } = entry;
  const videos = videoLimits(entry, words);
  const offered = filterValues.features ?? [];
  return html`<li class="card">
!${face(domain)}<h3><a href="${links.instance(domain)}">${name ?? domain}</a></h3>
<p class="domain">${name === null ? card.nameless : domain}</p>
<p class="tags">!${status === 'down' ? downTag(entry, words) : ''}!${fullTag(registrationTag(entry, filterValues, words))}!${fullTag(versionTag(filterValues, words))}</p>
<p class="text">${shortened(description ?? '')}</p>
!${
    offered.length === 0
      ? ''
      : html`<ul class="features" aria-label="${card.features}">!${offered.map((key) => html`<li>!${icon(key)}${features[key]}</li>`)}</ul>`
  }
!${videos === '' ? '' : html`<p class="limits">!${icon('video')}${videos}</p>`}
<dl class="figures">
!${figure(card.users, counts.users, format.compact, words, entry.growth === null ? '' : card.growth(format.signed(entry.growth)))}
!${figure(card.posts, counts.posts, format.compact, words)}
!${figure(card.uptime, uptime.month, format.percent, words)}
</dl>
<p class="foot"><span>${card.since(format.date(firstSeen))}</span><a class="go" href="${entry.url}" rel="nofollow noopener">${card.visit}<span class="unseen"> ${domain}</span>!${icon('leave')}</a></p>
</li>
`;
}

function figure(
  label: string,
  value: number | null,
  format: (value: number) => string,
  words: Site['words'],
  note = '',
): string {
  const text =
    value === null ? html`<dd class="soft">${words.directory.card.unknown}</dd>` : html`<dd>${format(value)}</dd>`;
  return html`<div><dt>${label}</dt>!${text}!${note === '' ? '' : html`<dd class="note">${note}</dd>`}</div>`;
}

export function tag(iconName: IconName, style: TagStyle, text: string): string {
  return html`<span class="${style === '' ? 'tag' : `tag ${style}`}">!${icon(iconName)}<span>${text}</span></span>`;
}

type TagStyle = '' | 'good' | 'fair' | 'bad';

/** A tag with its short text and a note, or with the full text of both. */
export interface NotedTag {
  readonly icon: IconName;
  readonly style: TagStyle;
  readonly text: string;
  readonly note: string;
  readonly full: string;
}

export function fullTag({ icon, style, full }: NotedTag): string {
  return tag(icon, style, full);
}

/** The note stands below the tag, which a narrow column does not break. */
export function notedTag({ icon, style, text, note }: NotedTag): string {
  return html`!${tag(icon, style, text)}<span class="domain">${note}</span>`;
}

/** Says when the instance was last up, if that is known. */
export function downTag({ lastSeen }: InstanceEntry, { directory, format }: Site['words']): string {
  const text = lastSeen === null ? directory.status.down : directory.downTag(format.date(lastSeen));
  return tag('down', 'bad', text);
}

const REGISTRATION_STYLE = { open: 'good', approval: 'fair', closed: '', unknown: '' } as const;

export function registrationTag(
  { registration: { mode } }: InstanceEntry,
  { registration }: FilterValues,
  { directory }: Site['words'],
): NotedTag {
  const text = directory.registration[registration];
  const note = registration === 'approval' ? directory.mode(mode ?? '') : '';
  const full = note === '' ? text : `${text} (${note})`;
  return { icon: registration, style: REGISTRATION_STYLE[registration], text, note, full };
}

const STANDINGS = {
  current: ['check', 'good'],
  behind: ['behind', 'fair'],
  'far-behind': ['behind', 'bad'],
  unknown: ['unknown', ''],
} as const;

export function versionTag({ version, standing }: FilterValues, { directory }: Site['words']): NotedTag {
  const [icon, style] = STANDINGS[standing];
  const text = version || directory.noVersion;
  const note = directory.standingTag[standing];
  return { icon, style, text, note, full: note === '' ? text : `${text}, ${note}` };
}

/** The limits that a card shows, by key. */
const LIMITS_OF_CARD: readonly string[] = [
  'maxVideoSizeMB',
  'maxVideoDurationSeconds',
] satisfies (keyof InstanceEntry['limits'])[];

/** The known limits of a video: `Videos up to 40 MB and 3 min`; empty when none is. */
export function videoLimits({ limits }: InstanceEntry, words: Site['words']): string {
  const known = LIMITS.filter(({ key }) => LIMITS_OF_CARD.includes(key)).flatMap((leaf) => {
    const text = factText(leaf, leaf.get({ limits }), words);
    return text === null ? [] : [text];
  });
  return known.length === 0 ? '' : words.directory.card.videos(words.format.list(known));
}

/** A description, cut to the length that cards show. */
export function shortened(text: string): string {
  const characters = [...text];
  return characters.length <= MAX_TEXT_LENGTH
    ? text
    : `${characters
        .slice(0, MAX_TEXT_LENGTH - 1)
        .join('')
        .trimEnd()}…`;
}
