import stringWidth from 'string-width';

/** How a terminal may show a text. */
export type Look =
  | 'bold'
  | 'red'
  | 'yellow'
  | 'green'
  | 'cyan'
  | 'black'
  | 'white'
  | 'bgRed'
  | 'bgYellow'
  | 'bgGreen'
  | 'bgCyan';

/** Gives the text its looks, or leaves it as it is where there are none. */
export type Paint = (looks: readonly Look[], text: string) => string;

export interface WrapOptions {
  /** The beginning of the first line. */
  first?: string;
  /** The beginning of the other lines; default: as many spaces as `first` is wide. */
  indent?: string;
  /** Whether a word that is longer than a line stays whole. Default: it is broken. */
  keepsWords?: boolean;
}

/** Columns that a line has for its words, however deep it is indented. */
const LEAST_ROOM = 8;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Breaks text at spaces into lines that take at most `columns` of a terminal, wide characters counted as two. A word that is longer,
 * such as an address, is broken behind a sign like `/` or `&`; one without any, or of a script that has no spaces, anywhere.
 */
export function wrapLines(text: string, columns: number, options: WrapOptions = {}): string[] {
  const { first = '', indent = ' '.repeat(stringWidth(first)), keepsWords = false } = options;
  const room = Math.max(LEAST_ROOM, columns - stringWidth(indent));
  const words = text.split(' ').flatMap((word) => (keepsWords ? word : piecesOf(word, room)));
  const lines: string[] = [];
  let line = first;
  let left = room + stringWidth(indent) - stringWidth(first);
  let isEmpty = true;
  for (const word of words) {
    const width = stringWidth(word);
    if (!isEmpty && width + 1 > left) {
      lines.push(line);
      line = indent;
      left = room;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    left -= isEmpty ? width : width + 1;
    isEmpty &&= word === '';
  }
  return [...lines, line].map((each) => each.trimEnd());
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
