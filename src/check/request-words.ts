import { showText } from './documents/show-text.ts';
import type { Exchange } from './exchange.ts';

/** What was asked, for people: `GET /api/v1/config`, with the whole URL when that is not at `origin`. */
export function requestWords({ method, url }: Exchange, origin: string): string {
  return `${method} ${showText(url.startsWith(`${origin}/`) ? url.slice(origin.length) : url)}`;
}
