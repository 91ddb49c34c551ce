import type { InstanceEntry } from '../../directory/schema/instance-entry.ts';
import { reportBadge } from '../../report/badge.ts';
import type { Words } from '../site.ts';

/** A badge with less uptime than this is not green. */
const GOOD_UPTIME = 0.99;

/** The status and uptime of an instance as an SVG image. It contains no text from the instance. */
export function instanceBadge({ status, uptime }: InstanceEntry, words: Words): string {
  const { badge: text } = words.instance;
  const { month } = uptime;
  const message =
    status === 'down' ? text.down : month === null ? text.upUnknown : text.up(words.format.percent(month));
  const color = status === 'down' ? 'red' : (month ?? 1) < GOOD_UPTIME ? 'yellow' : 'brightgreen';
  return reportBadge({ badge: { label: text.label, message, color } });
}
