import type { Exchange } from '../exchange.ts';
import { redirectTarget } from '../redirect-target.ts';

/**
 * Why redirects within a host never end, in words that end a sentence about the address; null when an answer is no redirect any more, or
 * leads elsewhere.
 */
export function circleOf(exchange: Exchange | null): string | null {
  const to = redirectTarget(exchange);
  if (exchange === null || to === null || to.host !== URL.parse(exchange.url)?.host) return null;
  if (to.href === exchange.url) return 'redirects to itself, in an endless loop';
  if (exchange.followed.includes(to.href)) return 'redirects in an endless loop';
  return exchange.followed.length >= 3 ? 'redirects too many times: clients give up after three' : null;
}
