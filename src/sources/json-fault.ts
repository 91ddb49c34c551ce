import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';

/** Where a text stops being JSON (RFC 8259), counted from 1, and what was expected there. */
export interface JsonFault {
  readonly line: number;
  readonly column: number;
  readonly expected: string;
}

/** By the names of the parser's error codes. */
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

/** The first fault of a text that `JSON.parse` refuses, since its own messages name a place only sometimes; null for valid JSON. */
export function jsonFault(text: string): JsonFault | null {
  if (isJson(text)) return null;
  let fault: JsonFault | null = null;
  const onError = (code: ParseErrorCode, _offset: number, _length: number, line: number, character: number) => {
    fault ??= { line: line + 1, column: character + 1, expected: EXPECTED[printParseErrorCode(code)] ?? 'JSON' };
  };
  try {
    visit(text, { onError }, { disallowComments: true });
  } catch (error) {
    // The parser calls itself for each level.
    if (!(error instanceof RangeError)) throw error;
  }
  return fault ?? { line: 1, column: 1, expected: 'JSON of fewer levels' };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
