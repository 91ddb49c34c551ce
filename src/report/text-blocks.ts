import { cleanIdentifier, cleanText, UNSAFE_CHARACTERS } from '../model/text/clean-text.ts';

/** Re-exported because `commands` may not import `model`. */
export { distinctName } from '../model/text/quoted-name.ts';
export { wrapLines } from '../model/text/terminal-text.ts';

/** A part of a text for operators: a paragraph to read, or lines to paste. */
export type TextBlock = { kind: 'prose'; text: string } | { kind: 'paste'; lines: string[] };

const MAX_LINES = 60;
const MAX_PARAGRAPHS = 12;
/** Maximum characters of one line. */
const MAX_LINE_LENGTH = 2_000;
const FENCE = /^ {0,3}```/;
const INDENTED = /^(?: {4}|\t)/;

/**
 * Splits a text for operators into blocks. A line indented by four spaces, or between two lines of three backticks, is for pasting and
 * keeps its inner spaces; every other line is a paragraph. Control and bidi characters are always replaced.
 */
export function textBlocks(text: string): TextBlock[] {
  const all = linesOf(text);
  const lines = all.slice(0, MAX_LINES);
  const blocks: TextBlock[] = [];
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
  if (all.length > lines.length) blocks.push({ kind: 'prose', text: `and ${all.length - lines.length} more lines` });
  return blocks;
}

/** Splits a text into paragraphs only: indented lines are paragraphs too, so that text from a server never looks like a cure. */
export function paragraphsOf(text: string): string[] {
  const all = linesOf(text)
    .map((line) => proseLine(line))
    .filter((line) => line !== '');
  const shown = all.slice(0, MAX_PARAGRAPHS);
  return all.length > shown.length ? [...shown, `and ${all.length - shown.length} more lines`] : shown;
}

/** One line of text, with invisible characters shown as `<U+200B>`; a shortened line ends with an ellipsis. */
export function proseLine(text: string, maxLength = MAX_LINE_LENGTH): string {
  // Cleaning removes characters, so more than `maxLength` are read; the limit bounds the work.
  const safe = text.slice(0, maxLength * 8).replace(UNSAFE_CHARACTERS, ' ');
  const cleaned = cleanText(showInvisible(safe), maxLength + 1);
  return cleaned.length > maxLength ? `${cleanText(cleaned, maxLength - 1)}…` : cleaned;
}

function linesOf(text: string): string[] {
  return text.slice(0, MAX_LINES * MAX_LINE_LENGTH).split(/\r\n?|\n/);
}

function pasteLine(line: string): string {
  return cleanIdentifier(line.slice(0, MAX_LINE_LENGTH).replaceAll('\t', '    '), MAX_LINE_LENGTH).trimEnd();
}

/** Invisible characters (UAX #44) except variation selectors, and the marks of interlinear annotations. */
const INVISIBLE = /(?!\p{Variation_Selector})\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb]/gu;
/** The text before a joiner that has an effect: part of an emoji sequence, or a letter of a cursive script (UAX #29, UAX #31). */
const BEFORE_JOINER =
  /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f|\p{M}|\p{Script=Arabic}|\p{Script=Syriac})$/u;
/** The text after such a joiner; U+2640 and U+2642 are the gender signs in emoji sequences. */
const AFTER_JOINER = /^(?:\p{Extended_Pictographic}|\p{Lo}|\u2640|\u2642)/u;

/** Replaces invisible characters by their code points, `<U+200B>`, so that different names look different. */
function showInvisible(text: string): string {
  return text.replace(INVISIBLE, (character, at: number) => {
    const isJoiner = character === '\u200c' || character === '\u200d';
    // A character may take two code units.
    const before = text.slice(Math.max(0, at - 2), at);
    if (isJoiner && BEFORE_JOINER.test(before) && AFTER_JOINER.test(text.slice(at + 1, at + 3))) return character;
    return `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}

/** A number with its noun: `1 check`, `2 checks`. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}
