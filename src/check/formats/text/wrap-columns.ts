import stringWidth from 'string-width';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Breaks text at spaces into lines that take at most `columns` of a terminal, wide characters counted as two. A word that is longer,
 * such as an address, is broken behind a sign like `/` or `&`; one without any, or of a script that has no spaces, anywhere.
 *
 * @param first the beginning of the first line; the others begin with as many spaces.
 */
export function wrapColumns(text: string, columns: number, first = ''): string[] {
  const indent = ' '.repeat(stringWidth(first));
  const room = Math.max(8, columns - indent.length);
  const lines: string[] = [];
  let line = '';
  let width = 0;
  const end = () => {
    lines.push(line);
    line = '';
    width = 0;
  };
  for (const word of text.split(' ').flatMap((word) => piecesOf(word, room))) {
    const wordWidth = stringWidth(word);
    if (width > 0 && width + 1 + wordWidth > room) end();
    line += width > 0 ? ` ${word}` : word;
    width += (width > 0 ? 1 : 0) + wordWidth;
  }
  end();
  return lines.map((content, index) => `${index === 0 ? first : indent}${content}`.trimEnd());
}

function piecesOf(word: string, room: number): string[] {
  if (stringWidth(word) <= room) return [word];
  const pieces: string[] = [];
  let piece = '';
  let width = 0;
  for (const { segment } of graphemes.segment(word)) {
    const segmentWidth = stringWidth(segment);
    if (width + segmentWidth > room && piece !== '') {
      const kept = piece.slice(0, breakIn(piece));
      pieces.push(kept);
      piece = piece.slice(kept.length);
      width = stringWidth(piece);
    }
    piece += segment;
    width += segmentWidth;
  }
  return [...pieces, piece];
}

/** Where a piece that is full ends: behind its last sign, if that leaves at least half of it. */
function breakIn(piece: string): number {
  const sign = /^.*[/?&=,;:._-](?=.)/su.exec(piece)?.[0].length ?? 0;
  return sign * 2 >= piece.length ? sign : piece.length;
}
