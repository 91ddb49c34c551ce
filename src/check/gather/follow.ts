import type { Exchange } from '../exchange.ts';
import { redirectTarget } from '../redirect-target.ts';
import type { Ask, Asked } from './ask.ts';

/** As many as a visit follows. */
const MOST_REDIRECTS = 3;

/**
 * Sends a request, and follows redirects within the host by https, as clients do. What comes back is the last answer: a redirect still
 * where it goes in a circle, where there are too many, where it leads elsewhere, or where `mayAsk` forbids its target.
 */
export async function follow(asked: Asked, ask: Ask, mayAsk: (asked: Asked) => boolean): Promise<Exchange | null> {
  let exchange = await ask(asked);
  const followed: string[] = [];
  const { target: _target, ...rest } = asked;
  while (exchange !== null && followed.length < MOST_REDIRECTS) {
    const url: URL | null = redirectTarget(exchange);
    if (url === null || url.protocol !== 'https:' || url.host !== asked.url.host) break;
    if (url.href === exchange.url || followed.includes(url.href)) break;
    if (!mayAsk({ ...rest, url })) break;
    const next: Exchange | null = await ask({ ...rest, url });
    if (next === null) break;
    followed.push(exchange.url);
    exchange = { ...next, followed: [...followed] };
  }
  return exchange;
}
