import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseConfig, parseDiscovery, parseNodeInfo } from '../../src/identify/documents.ts';
import { parseJsonObject, property } from '../../src/identify/field-reader.ts';

const parse = (text: string) => parseJsonObject(Buffer.from(text));
const nested = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;

describe('parseJsonObject', () => {
  it.each([
    ['an object', '{"a":1}', { a: 1 }],
    ['an empty object', '{}', {}],
    ['an object after a byte order mark', '\uFEFF{"a":1}', { a: 1 }],
    ['an object surrounded by white space', '\r\n {"a":1}\t\n', { a: 1 }],
    ['brackets within strings', '{"a":"[[[[{{{{","b":"\\"[{\\\\"}', { a: '[[[[{{{{', b: '"[{\\' }],
  ])('reads %s', (_what, text, expected) => {
    expect(parse(text)).toEqual(expected);
  });

  it.each([
    ['nothing', ''],
    ['a list', '[{"a":1}]'],
    ['null', 'null'],
    ['a string', '"loops"'],
    ['a number', '1'],
    ['a web page', '<!doctype html>'],
    ['a truncated object', '{"a":1'],
    ['an object with a warning after it', '{"a":1}\nWarning: headers already sent'],
    ['two objects', '{"a":1}{"b":2}'],
    ['two byte order marks', '\uFEFF\uFEFF{}'],
    ['a trailing comma', '{"a":1,}'],
    ['NaN', '{"a":NaN}'],
  ])('returns null for %s', (_what, text) => {
    expect(parse(text)).toBeNull();
  });

  it('decodes only UTF-8, and replaces invalid bytes', () => {
    expect(parseJsonObject(Buffer.from('{"a":1}', 'utf16le'))).toBeNull();
    expect(parseJsonObject(Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]))).toEqual({
      a: '\ufffd',
    });
  });

  it('reads at most 64 levels', () => {
    expect(parse(nested(64))).not.toBeNull();
    expect(parse(nested(65))).toBeNull();
    expect(parse(`{"a":${'['.repeat(64)}${']'.repeat(64)}}`)).toBeNull();
    expect(parse('['.repeat(200_000))).toBeNull();
  });

  it('limits the depth of brackets, not their number', () => {
    expect(parse(`{"a":[${'[],'.repeat(5_000)}[]]}`)).not.toBeNull();
  });
});

it('property does not read inherited properties', () => {
  const document = parse('{"__proto__":{"a":1},"b":2}');
  expect(property(document, 'a')).toBeUndefined();
  expect(property(document, 'toString')).toBeUndefined();
  expect(property(document, 'b')).toBe(2);
  expect(property(null, 'b')).toBeUndefined();
});

describe('no document can make the parsers throw', () => {
  const readAll = (bytes: Uint8Array) => {
    const document = parseJsonObject(bytes);
    if (document === null) return;
    parseConfig(document);
    parseDiscovery(document);
    parseNodeInfo(document);
  };

  it('with random bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => readAll(bytes)));
  });

  it('with random JSON', () => {
    fc.assert(fc.property(fc.json(), (text) => readAll(Buffer.from(text))));
  });

  it('with the expected keys and random values', () => {
    const anyValue = fc.jsonValue();
    const document = fc.record(
      {
        app: fc.oneof(
          anyValue,
          fc.record(
            { software: fc.oneof(anyValue, fc.constant('loops')), name: anyValue, url: anyValue, version: anyValue },
            { requiredKeys: [] },
          ),
        ),
        media: fc.oneof(
          anyValue,
          fc.record({ max_video_size: anyValue, allowed_video_formats: anyValue }, { requiredKeys: [] }),
        ),
        account: anyValue,
        hasKlipy: anyValue,
        links: fc.oneof(
          anyValue,
          fc.array(
            fc.record({ rel: fc.oneof(anyValue, fc.constant('/schema/2.0')), href: anyValue }, { requiredKeys: [] }),
          ),
        ),
        software: fc.oneof(anyValue, fc.record({ name: fc.oneof(anyValue, fc.string()), version: anyValue })),
        usage: fc.oneof(anyValue, fc.record({ users: anyValue, localPosts: anyValue })),
        metadata: anyValue,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(document, (value) => readAll(Buffer.from(JSON.stringify(value)))),
      { numRuns: 80 },
    );
  });
});
