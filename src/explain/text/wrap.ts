import { wrapLines } from '../../record/terminal-text.ts';

/**
 * Breaks text into lines of at most `width` columns, at spaces; a word that is longer stays whole, since half an address is none. Each
 * line but the first begins with `indent`, the first with `first`.
 */
export function wrap(text: string, width: number, first = '', indent = first): string {
  return wrapLines(text, width, { first, indent, keepsWords: true }).join('\n');
}
