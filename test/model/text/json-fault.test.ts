import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findJsonFault } from '../../../src/model/text/json-fault.ts';

const isJson = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('findJsonFault', () => {
  // The text; the kind, line and column of its fault; what was expected there.
  it.each([
    ['{"a": }', 'invalid', 1, 7, 'a value'],
    ['{\n  "a": 1,\n}', 'invalid', 3, 1, 'a key in double quotes'],
    ['{\n  "a": 1\n  "b": 2\n}', 'invalid', 3, 3, '"," or the end of the list or object'],
    ['{"a" 1}', 'invalid', 1, 6, '":"'],
    ["{'a': 1}", 'invalid', 1, 2, 'a value or a key in double quotes'],
    ['[1, 2', 'cut-off', 1, 6, '"," or the end of the list or object'],
    ['[1, 2}', 'invalid', 1, 6, '"," or the end of the list or object'],
    ['{} {}', 'after-end', 1, 4, 'the end of the text'],
    ['{"a": "x\ny"}', 'invalid', 1, 7, 'a string that ends with a double quote'],
    ['// comment\n{}', 'invalid', 1, 1, 'no comment'],
  ])('locates the fault in %j', (text, kind, line, column, expected) => {
    const earlierLines = text.split('\n').slice(0, line - 1);
    const offset = earlierLines.map((earlier) => `${earlier}\n`).join('').length + (column - 1);
    expect(findJsonFault(text)).toEqual({ kind, offset, line, column, expected });
  });

  it('reports a text nested too deeply as a fault of its first character', () => {
    expect(findJsonFault('['.repeat(1_000_000))).toEqual({
      kind: 'too-deep',
      offset: 0,
      line: 1,
      column: 1,
      expected: 'JSON of fewer levels',
    });
  });

  it('reports every prefix of a document as cut off', () => {
    const whole = '{"a": [true, -1.5e3, {"b\\u00e9\\n": null}, "x"], "c": {}}';
    for (let length = 1; length < whole.length; length++)
      expect(findJsonFault(whole.slice(0, length)), whole.slice(0, length)).toMatchObject({ kind: 'cut-off' });
    expect(findJsonFault(`${whole.slice(0, 20)}\n`)).toMatchObject({ kind: 'cut-off' });
  });

  it.each(['[1]Warning', '[1] // comment', '[1]\u00a0', '{}}', '"a" b', '[1]\n<!-- cached -->'])(
    'locates text after a complete value: %j',
    (text) => {
      const fault = findJsonFault(text);
      expect(fault).toMatchObject({ kind: 'after-end' });
      expect(() => JSON.parse(text.slice(0, fault?.offset))).not.toThrow();
    },
  );

  it('agrees with JSON.parse about validity', () => {
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '\\u00e9',
      '\\',
      '1',
      '-0.5e3',
      '01',
      'true',
      'null',
      ' ',
    ];
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(text, fc.json()), (candidate) => {
        expect(findJsonFault(candidate) === null).toBe(isJson(candidate));
      }),
      { numRuns: 300 },
    );
  });
});
