import { cleanIdentifier, cleanText } from '../../../identify/clean-text.ts';
import { showInvisible } from './show-invisible.ts';

/** A piece of a text for operators: a paragraph to read, or lines to paste. */
export type Block = { kind: 'prose'; text: string } | { kind: 'paste'; lines: string[] };

const MOST_LINES = 60;
const MOST_PARAGRAPHS = 12;
/** Characters of one line. */
const MOST_TEXT = 2_000;
const FENCE = /^ {0,3}```/;
const INDENTED = /^(?: {4}|\t)/;

/**
 * The pieces of a text for operators. A line that is indented by four spaces, or between two lines of three backticks, is to be
 * pasted, and stays as it is; every other line is a paragraph. Control and bidi characters are gone afterwards, whoever put them in.
 */
export function blocksOf(text: string): Block[] {
  const all = linesOf(text);
  const lines = all.slice(0, MOST_LINES);
  const blocks: Block[] = [];
  let isFenced = false;
  let emptyLines = 0;
  for (const line of lines) {
    if (FENCE.test(line)) {
      isFenced = !isFenced;
      continue;
    }
    if (line.trim() === '') {
      emptyLines++;
      continue;
    }
    const last = blocks.at(-1);
    if (isFenced || INDENTED.test(line)) {
      const paste = pasteLine(isFenced ? line : line.replace(INDENTED, ''));
      if (last?.kind === 'paste') last.lines.push(...Array<string>(emptyLines).fill(''), paste);
      else blocks.push({ kind: 'paste', lines: [paste] });
    } else {
      blocks.push({ kind: 'prose', text: proseLine(line) });
    }
    emptyLines = 0;
  }
  if (all.length > lines.length) blocks.push({ kind: 'prose', text: `and ${all.length - lines.length} lines more` });
  return blocks;
}

/** The paragraphs of a text in which nothing is to be pasted, so that what a server says never looks as if it were. */
export function paragraphsOf(text: string): string[] {
  const all = linesOf(text)
    .map((line) => proseLine(line))
    .filter((line) => line !== '');
  const shown = all.slice(0, MOST_PARAGRAPHS);
  return all.length > shown.length ? [...shown, `and ${all.length - shown.length} lines more`] : shown;
}

/** One line of text for people, in which nothing is hidden; what was cut ends with an ellipsis. */
export function proseLine(text: string, most = MOST_TEXT): string {
  // Far more than is shown need not be cleaned.
  const cleaned = showInvisible(cleanText(text.slice(0, most * 8), most + 1));
  return cleaned.length > most ? `${cleanText(cleaned, most - 1)}…` : cleaned;
}

function linesOf(text: string): string[] {
  return text.slice(0, MOST_LINES * MOST_TEXT).split(/\r\n?|\n/);
}

function pasteLine(line: string): string {
  return cleanIdentifier(line.slice(0, MOST_TEXT).replaceAll('\t', '    '), MOST_TEXT).trimEnd();
}
