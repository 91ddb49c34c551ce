import { describe, expect, it } from 'vitest';
import { parseRawQuery, rawQueryOf } from '../../../src/reference/oauth/authorization-request.ts';

describe('rawQueryOf', () => {
  it('returns the bytes after the first question mark', () => {
    expect(rawQueryOf('/a?b=%2b+%20&c=?d')).toBe('b=%2b+%20&c=?d');
    expect([rawQueryOf('/a'), rawQueryOf('/a?')]).toEqual(['', '']);
  });

  it('percent-encodes only characters that a URL does not allow', () => {
    const allowed = "Az09-._~!$&'()*+,;=:@/?%0a";
    expect(rawQueryOf(`/?${allowed}`)).toBe(allowed);
    expect(rawQueryOf('/?a=\u00e9"<>#[]{}|\\^`\u007f\u00ff \r\n')).toBe(
      'a=%E9%22%3C%3E%23%5B%5D%7B%7D%7C%5C%5E%60%7F%FF%20%0D%0A',
    );
    expect(rawQueryOf('/?100%&%z1%1')).toBe('100%25&%25z1%251');
  });
});

describe('parseRawQuery', () => {
  it('returns form-decoded names and values, and raw values', () => {
    expect(parseRawQuery('a=b+c%21&%61=&d&&=e&f=g=h')).toEqual([
      { name: 'a', value: 'b c!', raw: 'b+c%21' },
      { name: 'a', value: '', raw: '' },
      { name: 'd', value: '', raw: '' },
      { name: '', value: 'e', raw: 'e' },
      { name: 'f', value: 'g=h', raw: 'g=h' },
    ]);
    expect(parseRawQuery('')).toEqual([]);
  });

  it('keeps bytes that are not UTF-8 in the raw value', () => {
    expect(parseRawQuery('state=%ff%00')).toEqual([{ name: 'state', value: '\ufffd\0', raw: '%ff%00' }]);
  });
});
