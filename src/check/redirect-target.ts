import type { Exchange } from './exchange.ts';

/** Where an answer redirects to; null when it is no redirect, or leads to no address. */
export function redirectTarget(exchange: Exchange | null): URL | null {
  if (exchange === null || exchange.status === null || exchange.status < 300 || exchange.status >= 400) return null;
  const { location } = exchange.headers;
  return location === undefined ? null : URL.parse(location, exchange.url);
}
