import { contentTypeOf } from './documents/content-type-of.ts';
import { isHtml } from './documents/is-html.ts';
import type { Exchange } from './exchange.ts';

/** Whether an answer is a page for people, by what it says it is or by how it begins. */
export function isPage(exchange: Exchange): boolean {
  return contentTypeOf(exchange) === 'text/html' || isHtml(exchange);
}
