import { type ParseErrorCode, printParseErrorCode, visit as walkJson } from 'jsonc-parser';

/** The first syntax error in a JSON text (RFC 8259). */
export interface JsonFault {
  /** `cut-off`: the text ends inside its value; `after-end`: text follows a complete value; `too-deep`: the parser ran out of stack. */
  readonly kind: 'invalid' | 'cut-off' | 'after-end' | 'too-deep';
  /** In UTF-16 code units from the start. */
  readonly offset: number;
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1. */
  readonly column: number;
  /** What the grammar allows at this place: `a key in double quotes`. */
  readonly expected: string;
}

/** What was expected, by error code of the parser. */
const EXPECTED: Readonly<Record<string, string>> = {
  InvalidSymbol: 'a value or a key in double quotes',
  InvalidNumberFormat: 'a number',
  PropertyNameExpected: 'a key in double quotes',
  ValueExpected: 'a value',
  ColonExpected: '":"',
  CommaExpected: '"," or the end of the list or object',
  CloseBraceExpected: '"," or the end of the list or object',
  CloseBracketExpected: '"," or the end of the list or object',
  EndOfFileExpected: 'the end of the text',
  InvalidCommentToken: 'no comment',
  UnexpectedEndOfComment: 'no comment',
  UnexpectedEndOfString: 'a string that ends with a double quote',
  UnexpectedEndOfNumber: 'a number',
  InvalidUnicode: 'four hexadecimal digits after \\u',
  InvalidEscapeCharacter: 'a valid escape after \\',
  InvalidCharacter: 'a string without control characters',
};

/** A token with one of these errors may be the beginning of a valid one. */
const UNFINISHED: ReadonlySet<string> = new Set([
  'InvalidSymbol',
  'UnexpectedEndOfString',
  'UnexpectedEndOfNumber',
  'InvalidUnicode',
  'InvalidEscapeCharacter',
]);

/** The first error in a text, null for valid JSON. The messages of `JSON.parse` do not always contain a position. */
export function findJsonFault(text: string): JsonFault | null {
  if (isJson(text)) return null;
  let fault: JsonFault | null = null;
  let depth = 0;
  let hasEnded = false;
  const onBegin = () => {
    depth++;
  };
  const onEnd = () => {
    depth--;
    hasEnded ||= depth === 0;
  };
  const onLiteralValue = () => {
    hasEnded ||= depth === 0;
  };
  const end = text.trimEnd().length;
  const onError = (code: ParseErrorCode, offset: number, length: number, line: number, character: number) => {
    if (fault !== null) return;
    const name = printParseErrorCode(code);
    const isCutOff = offset >= end || (offset + length >= end && UNFINISHED.has(name));
    const kind = hasEnded && offset < text.length ? 'after-end' : isCutOff ? 'cut-off' : 'invalid';
    fault = { kind, offset, line: line + 1, column: character + 1, expected: EXPECTED[name] ?? 'JSON' };
  };
  try {
    walkJson(
      text,
      { onObjectBegin: onBegin, onArrayBegin: onBegin, onObjectEnd: onEnd, onArrayEnd: onEnd, onLiteralValue, onError },
      { disallowComments: true },
    );
  } catch (error) {
    // The parser is recursive.
    if (!(error instanceof RangeError)) throw error;
  }
  return fault ?? { kind: 'too-deep', offset: 0, line: 1, column: 1, expected: 'JSON of fewer levels' };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
