/** What has a meaning inside a line of Markdown (CommonMark and GitHub's additions to it), HTML, entities and bare addresses among it. */
const INLINE = /[\\`*_[\]<>|~&$]|:(?=\/\/)|(?<=www)\./gi;
/** What makes a line a heading, a list item, a rule, or the line above it a heading. */
const AT_START = /^(\s*)([#=+-]|\d{1,9}(?=[.)](?:\s|$)))/;
/** A person or a thread that would be told of it. */
const MENTION = /(?<=[@#])(?=\w)/g;
const WORD_JOINER = '\u2060';

/** A piece of code inside a line; no other backtick touches it. */
const CODE = /(?<!`)(`[^`]+`)(?!`)/;

/**
 * One line of text as Markdown that shows that text and nothing else, whoever wrote it: no link, image, mention, HTML or block. What
 * stands between two backticks is code, in which nothing has a meaning.
 */
export function escapeMarkdown(text: string): string {
  const escaped = text.split(CODE).map((part, index) => (index % 2 === 1 ? part : escapeProse(part)));
  return escaped
    .join('')
    .replace(AT_START, (_all, space: string, sign: string) =>
      /\d/.test(sign) ? `${space}${sign}\\` : `${space}\\${sign}`,
    );
}

/** The same for a cell of a table, in which a bar ends the cell even inside code. */
export function escapeCell(text: string): string {
  return escapeProse(text);
}

function escapeProse(text: string): string {
  return text.replace(INLINE, String.raw`\$&`).replace(MENTION, WORD_JOINER);
}

/** Lines as a block of code, with a fence that none of them can end. */
export function codeBlock(lines: readonly string[]): string {
  const longest = Math.max(2, ...(lines.join('\n').match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}text`, ...lines, fence].join('\n');
}
