import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonFault } from '../../src/sources/json-fault.ts';

const isJson = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('jsonFault', () => {
  it.each([
    ['{"a": }', 1, 7, 'a value'],
    ['{\n  "a": 1,\n}', 3, 1, 'a key in double quotes'],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3, '"," or the end of the list or object'],
    ['{"a" 1}', 1, 6, '":"'],
    ["{'a': 1}", 1, 2, 'a value or a key in double quotes'],
    ['[1, 2', 1, 6, '"," or the end of the list or object'],
    ['[1, 2}', 1, 6, '"," or the end of the list or object'],
    ['{} {}', 1, 4, 'the end of the text'],
    ['{"a": "x\ny"}', 1, 7, 'a string that ends with a double quote'],
    ['// comment\n{}', 1, 1, 'no comment'],
  ])('finds the place in %j', (text, line, column, expected) => {
    expect(jsonFault(text)).toEqual({ line, column, expected });
  });

  it('of a text that is nested too deeply for its parser has no place', () => {
    expect(jsonFault('['.repeat(1_000_000))).toEqual({ line: 1, column: 1, expected: 'JSON of fewer levels' });
  });

  it('agrees with JSON.parse on what is valid', () => {
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
        expect(jsonFault(candidate) === null).toBe(isJson(candidate));
      }),
      { numRuns: 20_000 },
    );
  });
});
