import { property } from '../identify/json.ts';
import type { Exchange } from './exchange.ts';
import { jsonOf } from './json-of.ts';

/** The access token that an answer gives away; null when it gives none. */
export function tokenIn(exchange: Exchange): string | null {
  const token = property(jsonOf(exchange), 'access_token');
  return typeof token === 'string' && token !== '' ? token : null;
}
