import type { DomainOptions } from '../../model/domain/parse-domain.ts';
import type { SourceItem } from '../source.ts';
import { readItem } from './read-item.ts';
import type { Line } from './read-lines.ts';

/**
 * Text, with what is said to run on all of its domains: one domain or URL a line. A `#` begins a comment where it begins the line or follows white space; elsewhere it
 * is the fragment of a URL.
 */
export async function* textItems(
  lines: AsyncIterable<Line>,
  options: DomainOptions,
  software?: string,
): AsyncGenerator<SourceItem> {
  for await (const { number, text } of lines) {
    const written = withoutComment(text);
    yield written === '' ? { kind: 'blank', line: number } : readItem(number, written, options, software);
  }
}

/** What a line says, without its comment and the white space around. */
export function withoutComment(text: string): string {
  const comment = text.search(/(?:^|\s)#/);
  return (comment === -1 ? text : text.slice(0, comment)).trim();
}
