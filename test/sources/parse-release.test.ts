import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRelease } from '../../src/sources/release.ts';

describe('parseRelease', () => {
  it.each([
    [
      'the document of a Loops beacon',
      { version: '1.0.0-beta.14', name: 'Fourteen', url: 'https://example.org/14', published_at: '' },
    ],
    ['a release of a code forge', { tag_name: 'v1.0.0-beta.14', name: 'The one with the playlists' }],
    ['a release of a code forge that has only a name', { name: 'v1.0.0-beta.14' }],
    ['the latest version as a string', { latest: '1.0.0-beta.14' }],
    ['the latest version as an object', { latest: { version: '1.0.0-beta.14' } }],
    ['a release as an object', { release: { tag_name: 'v1.0.0-beta.14' } }],
    ['an object in data', { data: { version: '1.0.0-beta.14' } }],
    ['a bare string', '1.0.0-beta.14'],
    ['a bare string with white space and a line end', ' v1.0.0-beta.14\n'],
    ['a version with build metadata', { version: '1.0.0-beta.14+4f2a' }],
  ])('reads the version from %s', (_, document) => {
    expect(parseRelease(document)).toEqual({ version: '1.0.0-beta.14' });
  });

  it('prefers version to tag_name, and tag_name to name', () => {
    expect(parseRelease({ name: '3.0.0', tag_name: '2.0.0', version: '1.0.0' })).toEqual({ version: '1.0.0' });
    expect(parseRelease({ name: '3.0.0', tag_name: '2.0.0' })).toEqual({ version: '2.0.0' });
  });

  it('skips a key whose value is not a version', () => {
    expect(parseRelease({ version: 2, tag_name: 'nightly', name: 'v2.0.1' })).toEqual({ version: '2.0.1' });
    expect(parseRelease({ version: 'new', latest: { version: '2.0.1' } })).toEqual({ version: '2.0.1' });
  });

  it.each([
    ['null', null],
    ['an empty object', {}],
    ['a list', [{ version: '1.0.0' }]],
    ['a version that is a number', { version: 1 }],
    ['a version of two numbers', { version: '1.0' }],
    ['a version that is a word', { version: 'latest' }],
    ['a name with words around the version', { name: 'Loops 1.0.0 is here' }],
    ['a version two levels deep', { latest: { release: { version: '1.0.0' } } }],
    ['a web page', '<!doctype html><title>1.0.0</title>'],
    ['a version with a number that is too large', { version: `1.0.${'9'.repeat(20)}` }],
  ])('finds no version in %s', (_, document) => {
    expect(parseRelease(document)).toBeNull();
  });

  it('ignores inherited properties', () => {
    expect(parseRelease(Object.create({ version: '1.0.0' }))).toBeNull();
  });

  it('never throws, whatever the document', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (document) => {
        const release = parseRelease(document);
        expect(release === null || typeof release.version === 'string').toBe(true);
      }),
    );
  });
});
