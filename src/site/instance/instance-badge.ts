import type { InstanceEntry } from '../../directory/schema/instance-entry.ts';
import { BADGE_STYLES, type BadgeStyle, reportBadge } from '../../report/badge.ts';
import type { Site, Words } from '../site.ts';

export const STYLES = Object.keys(BADGE_STYLES) as readonly BadgeStyle[];

/** The URL of a badge below the page of its instance: a live site draws what the query asks for, a static one has a file for each style. */
export function badgeFile(style: BadgeStyle, mode: Site['mode']): string {
  if (style === 'flat') return 'badge.svg';
  return mode === 'live' ? `badge.svg?style=${style}` : `badge-${style}.svg`;
}

/** A badge with less uptime than this is not green. */
const GOOD_UPTIME = 0.99;

/** The status and uptime of an instance as an SVG image. It contains no text from the instance. */
export function instanceBadge({ status, uptime }: InstanceEntry, style: BadgeStyle, words: Words): string {
  const { badge: text } = words.instance;
  const { month } = uptime;
  const message =
    status === 'down' ? text.down : month === null ? text.upUnknown : text.up(words.format.percent(month));
  const color = status === 'down' ? 'red' : (month ?? 1) < GOOD_UPTIME ? 'yellow' : 'brightgreen';
  return reportBadge({ badge: { label: text.label, message, color } }, style);
}
