import { type BadgeSource, badgeWords } from './badge-words.ts';

/** A report as what shields.io makes a badge of (https://shields.io/badges/endpoint-badge): JSON, wherever that can be read. */
export function badgeEndpoint(report: BadgeSource): string {
  const { label, message, color } = badgeWords(report);
  return `${JSON.stringify({ schemaVersion: 1, label, message, color, isError: color === 'red' })}\n`;
}
