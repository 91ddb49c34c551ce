import { toUtf8 } from './utf8.ts';

/** A line without its line break. `number` counts from 1. */
export interface Line {
  readonly number: number;
  readonly text: string;
}

/** Characters; longer lines are truncated. */
export const MAX_LINE_LENGTH = 65_536;

/**
 * The lines of a text, in constant memory: longer lines are truncated. UTF-8 or UTF-16; lines end in LF or CRLF, optional after the last.
 *
 * @throws whatever `chunks` throws.
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let number = 0;
  let pending = '';
  for await (const chunk of toUtf8(chunks)) {
    const piece = decoder.decode(chunk, { stream: true });
    let start = 0;
    // Sliced on demand: unconsumed lines take no extra memory.
    for (let end = piece.indexOf('\n'); end !== -1; end = piece.indexOf('\n', start)) {
      number += 1;
      yield { number, text: append(pending, piece.slice(start, end)).replace(/\r$/, '') };
      pending = '';
      start = end + 1;
    }
    pending = append(pending, piece.slice(start));
  }
  pending = append(pending, decoder.decode());
  if (pending !== '') yield { number: number + 1, text: pending.replace(/\r$/, '') };
}

function append(pending: string, piece: string): string {
  return pending.length >= MAX_LINE_LENGTH ? pending : (pending + piece).slice(0, MAX_LINE_LENGTH);
}
