import { makeBadge } from 'badge-maker';
import { type BadgeSource, badgeWords } from './badge-words.ts';

/** A report as a badge: an SVG file that is shown wherever an image is, without another service in between. */
export function badge(report: BadgeSource): string {
  return `${makeBadge({ ...badgeWords(report) })}\n`;
}
