import { originOf } from '../domain/domain.ts';
import { nameAll } from './documents/name-all.ts';
import type { Evidence } from './evidence.ts';
import type { Exchange } from './exchange.ts';
import { requestWords } from './request-words.ts';

/**
 * Which requests something came of: all of them in a word, or everything under a path, or one by one.
 *
 * @param some those that it came of. @param all those that were looked at.
 */
export function nameRequests(some: readonly Exchange[], all: readonly Exchange[], { domain }: Evidence): string {
  if (some.length > 2 && some.length === all.length) return `every request (${some.length} of ${all.length})`;
  const paths = some.map(({ url }) => new URL(url).pathname);
  const elsewhere = all.filter((each) => !some.includes(each)).map(({ url }) => new URL(url).pathname);
  const shared = ['/api/', '/oauth/', '/.well-known/'].find((start) => paths.every((path) => path.startsWith(start)));
  if (shared !== undefined && some.length > 2 && !elsewhere.some((path) => path.startsWith(shared)))
    return `everything under ${shared} (${some.length} requests)`;
  return nameAll(some.map((exchange) => requestWords(exchange, originOf(domain))));
}
