import { REASONS, type Reason } from './reason.ts';

/**
 * How a visit ended, in words for an operator: `nothing listens at the address`.
 *
 * @param cause what stands behind the reason.
 */
export function endingWords(reason: Reason, cause: Reason): string {
  if (cause === reason) return REASONS[reason].means;
  const means = cause === 'http-5xx' ? 'a server error' : REASONS[cause].means;
  return `robots.txt could not be had (${means}), so nothing else was asked`;
}
