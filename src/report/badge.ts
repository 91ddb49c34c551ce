import { makeBadge } from 'badge-maker';

/** The text of a badge; never contains text from the subject. */
export interface BadgeView {
  label: string;
  message: string;
  color: 'brightgreen' | 'yellow' | 'red' | 'lightgrey';
}

/** A report as a badge: an SVG image that needs no other service. */
export function reportBadge({ badge }: { badge: BadgeView }): string {
  return `${makeBadge({ ...badge })}\n`;
}

/** A report as JSON from which shields.io makes a badge (https://shields.io/badges/endpoint-badge). */
export function badgeEndpoint({ badge: { label, message, color } }: { badge: BadgeView }): string {
  return `${JSON.stringify({ schemaVersion: 1, label, message, color, isError: color === 'red' })}\n`;
}
