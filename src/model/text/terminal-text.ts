import { stringWidth } from './string-width.ts';

export type TextStyle =
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

/** Applies terminal styles to a text, or returns it unchanged when styles are off. */
export type Paint = (styles: readonly TextStyle[], text: string) => string;

export interface WrapOptions {
  /** Prefix of the first line. */
  first?: string;
  /** Prefix of the other lines; default: spaces of the width of `first`. */
  indent?: string;
  /** Whether a word longer than a line stays in one piece. Default: false. */
  keepsWords?: boolean;
}

/** Minimum columns for the text of a line, however deep its indent. */
const MIN_COLUMNS = 8;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Wraps text at spaces into lines of at most `columns` terminal columns; wide characters count as two. A longer word is broken after
 * punctuation like `/` or `&`, or anywhere if the second half of a line has none. A line is too long only if `keepsWords` keeps a longer
 * word, or if its prefix leaves too few columns.
 */
export function wrapLines(text: string, columns: number, options: WrapOptions = {}): string[] {
  const { first = '', indent = ' '.repeat(stringWidth(first)), keepsWords = false } = options;
  const room = Math.max(MIN_COLUMNS, columns - stringWidth(indent));
  const words = text.split(' ').flatMap((word) => (keepsWords ? word : piecesOf(word, room)));
  const lines: string[] = [];
  let line = first;
  let columnsLeft = room + stringWidth(indent) - stringWidth(first);
  let isEmpty = true;
  for (const word of words) {
    const width = stringWidth(word);
    if (!isEmpty && width + 1 > columnsLeft) {
      lines.push(line);
      line = indent;
      columnsLeft = room;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    columnsLeft -= isEmpty ? width : width + 1;
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
      const head = piece.slice(0, breakOffset(piece));
      pieces.push(head);
      piece = piece.slice(head.length);
      width = stringWidth(piece);
    }
    piece += segment;
    width += segmentWidth;
  }
  return [...pieces, piece];
}

/** The offset at which to break a full piece: after its last punctuation, unless that is in its first half. */
function breakOffset(piece: string): number {
  const afterPunctuation = /^.*[/?&=,;:._-](?=.)/su.exec(piece)?.[0].length ?? 0;
  return afterPunctuation * 2 >= piece.length ? afterPunctuation : piece.length;
}
