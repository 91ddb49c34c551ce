const LINE_SEPARATORS = /[\u2028\u2029]/g;

/**
 * A value as JSON that is one line for every reader: U+2028 and U+2029, which some take for line ends, are escaped.
 * `JSON.stringify` itself escapes control characters and lone surrogates (ECMA-262, well-formed JSON.stringify).
 */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(LINE_SEPARATORS, (character) =>
    character === '\u2028' ? '\\u2028' : '\\u2029',
  );
}
