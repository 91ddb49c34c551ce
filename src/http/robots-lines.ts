/** The lines that are evaluated: those of RFC 9309 section 2.2, and Crawl-delay. */
type RobotsField = 'user-agent' | 'allow' | 'disallow' | 'crawl-delay';

/** A line that is neither empty nor a comment. */
export interface RobotsLine {
  /** From 1. */
  number: number;
  /** The line without its comment and the white space around it. */
  content: string;
  /** What stands before the colon, in lower case; empty for a line without a name or a colon. */
  name: string;
  /** Null for a line that is not evaluated. */
  field: RobotsField | null;
  value: string;
}

/** With the misspelt names that Google's parser reads too: who writes them means the rule. */
const FIELDS: ReadonlyMap<string, RobotsField> = new Map([
  ['user-agent', 'user-agent'],
  ['user agent', 'user-agent'],
  ['useragent', 'user-agent'],
  ['allow', 'allow'],
  ['disallow', 'disallow'],
  ['dissallow', 'disallow'],
  ['dissalow', 'disallow'],
  ['disalow', 'disallow'],
  ['diasllow', 'disallow'],
  ['disallaw', 'disallow'],
  ['crawl-delay', 'crawl-delay'],
]);

const LF = 0x0a;
const CR = 0x0d;
/** A byte order mark, or the beginning of one. */
const BYTE_ORDER_MARK = /^\xef(?:\xbb\xbf?)?/;

/**
 * Reads the lines of a robots.txt. They end with CRLF, LF or CR. Visits every character a fixed number of times.
 *
 * @param text the bytes of the file, each as one character (`latin1`), so that no byte is lost.
 */
export function* readRobotsLines(text: string): Generator<RobotsLine> {
  let start = BYTE_ORDER_MARK.exec(text)?.[0].length ?? 0;
  for (let number = 1; start < text.length; number++) {
    let end = start;
    while (end < text.length && text.charCodeAt(end) !== LF && text.charCodeAt(end) !== CR) end++;
    const content = contentOf(text.slice(start, end));
    if (content !== '') yield readLine(number, content);
    start = end + (text.startsWith('\r\n', end) ? 2 : 1);
  }
}

function contentOf(line: string): string {
  const comment = line.indexOf('#');
  return trimBlanks(comment < 0 ? line : line.slice(0, comment));
}

function readLine(number: number, content: string): RobotsLine {
  const colon = content.indexOf(':');
  if (colon < 0) return readWithoutColon(number, content);
  const name = trimBlanks(content.slice(0, colon)).toLowerCase();
  return { number, content, name, field: FIELDS.get(name) ?? null, value: trimBlanks(content.slice(colon + 1)) };
}

/** Two words are read as name and value: `Disallow /`. */
function readWithoutColon(number: number, content: string): RobotsLine {
  const blank = content.search(/[ \t]/);
  const word = content.slice(0, Math.max(blank, 0)).toLowerCase();
  const value = trimBlanks(content.slice(blank));
  const field = /[ \t]/.test(value) ? null : (FIELDS.get(word) ?? null);
  return { number, content, name: '', field, value };
}

/** Trims white space in ASCII. `trim` would also remove the byte A0, which can be the end of a letter. */
function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

/** A space, a tab, or another of the control characters that separate. */
function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}
