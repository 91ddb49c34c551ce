import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRelease } from '../../src/sources/release.ts';

describe('parseRelease', () => {
  it.each([
    ['a beacon', { version: '1.0.0-beta.14', name: 'Fourteen', url: 'https://example.org/14', published_at: '' }],
    ['a forge', { tag_name: 'v1.0.0-beta.14', name: 'The one with the playlists' }],
    ['a forge that only names it', { name: 'v1.0.0-beta.14' }],
    ['the latest by its name', { latest: '1.0.0-beta.14' }],
    ['the latest as an object', { latest: { version: '1.0.0-beta.14' } }],
    ['a release as an object', { release: { tag_name: 'v1.0.0-beta.14' } }],
    ['wrapped data', { data: { version: '1.0.0-beta.14' } }],
    ['the bare string', '1.0.0-beta.14'],
    ['the bare string with a line end', ' v1.0.0-beta.14\n'],
    ['build metadata', { version: '1.0.0-beta.14+4f2a' }],
  ])('reads %s', (_, document) => {
    expect(parseRelease(document)).toEqual({ version: '1.0.0-beta.14' });
  });

  it('prefers a version to a tag, and a tag to a title', () => {
    expect(parseRelease({ name: '3.0.0', tag_name: '2.0.0', version: '1.0.0' })).toEqual({ version: '1.0.0' });
    expect(parseRelease({ name: '3.0.0', tag_name: '2.0.0' })).toEqual({ version: '2.0.0' });
  });

  it('skips a key whose value is not a version', () => {
    expect(parseRelease({ version: 2, tag_name: 'nightly', name: 'v2.0.1' })).toEqual({ version: '2.0.1' });
    expect(parseRelease({ version: 'new', latest: { version: '2.0.1' } })).toEqual({ version: '2.0.1' });
  });

  it.each([
    ['nothing', null],
    ['an empty object', {}],
    ['a list', [{ version: '1.0.0' }]],
    ['a number', { version: 1 }],
    ['two numbers', { version: '1.0' }],
    ['words', { version: 'latest' }],
    ['a title', { name: 'Loops 1.0.0 is here' }],
    ['two levels', { latest: { release: { version: '1.0.0' } } }],
    ['a page', '<!doctype html><title>1.0.0</title>'],
    ['a number too large', { version: `1.0.${'9'.repeat(20)}` }],
  ])('finds no version in %s', (_, document) => {
    expect(parseRelease(document)).toBeNull();
  });

  it('reads no inherited property', () => {
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
