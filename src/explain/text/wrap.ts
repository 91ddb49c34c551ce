/**
 * Breaks text into lines of at most `width` characters, at spaces; a word that is longer stays whole, since half an address is
 * none. Each line but the first begins with `indent`, the first with `first`.
 */
export function wrap(text: string, width: number, first = '', indent = first): string {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of text.split(' ')) {
    if (!isEmpty && line.length + 1 + word.length > width) {
      lines.push(line);
      line = indent;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line].join('\n');
}
