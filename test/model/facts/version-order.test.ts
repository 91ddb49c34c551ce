import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOlder, newestVersion } from '../../../src/model/facts/version-order.ts';

const versions = fc
  .tuple(fc.nat(20), fc.nat(20), fc.nat(20), fc.option(fc.nat(30)))
  .map(([major, minor, patch, beta]) => `${major}.${minor}.${patch}${beta === null ? '' : `-beta.${beta}`}`);

/** One entry per version and registrable domain that runs it. */
function sightings(table: Readonly<Record<string, readonly string[]>>) {
  return Object.entries(table).flatMap(([version, domains]) =>
    domains.map((registrableDomain) => ({ version, registrableDomain })),
  );
}

describe('isOlder', () => {
  it.each([
    ['1.0.0-beta.9', '1.0.0-beta.14'],
    ['1.0.0-beta.14', '1.0.0'],
    ['1.0.0-alpha.2', '1.0.0-beta.1'],
    ['1.9.0', '1.10.0'],
    ['v1.0.0-beta.9', '1.0.0-beta.10'],
    ['0.9.9', '1.0.0-beta.1'],
    ['1.0.0beta', '1.0.0'],
  ])('orders %s before %s, and not the reverse', (older, newer) => {
    expect(isOlder(older, newer)).toBe(true);
    expect(isOlder(newer, older)).toBe(false);
  });

  it.each([
    ['1.0.0', '1.0.0'],
    ['v1.0.0', '1.0.0'],
    ['1.0.0+a1b2c3', '1.0.0+d4e5f6'],
  ])('orders neither of %s and %s before the other', (first, second) => {
    expect(isOlder(first, second)).toBe(false);
    expect(isOlder(second, first)).toBe(false);
  });

  it.each([
    '',
    'latest',
    '1.0',
    '2',
    'beta.14',
    '1.0.0 (patched)',
    '1.0.0.1',
    `1.0.${'9'.repeat(20)}`,
    '1'.repeat(300),
  ])('returns null for "%s"', (unreadable) => {
    expect(isOlder(unreadable, '1.0.0')).toBeNull();
    expect(isOlder('1.0.0', unreadable)).toBeNull();
  });

  it('is a strict total order', () => {
    fc.assert(
      fc.property(versions, versions, versions, (one, two, three) => {
        expect(isOlder(one, two) === true && isOlder(two, one) === true).toBe(false);
        if (one !== two) expect(isOlder(one, two) === true || isOlder(two, one) === true).toBe(true);
        if (isOlder(one, two) === true && isOlder(two, three) === true) expect(isOlder(one, three)).toBe(true);
      }),
    );
  });

  it('never throws for any text', () => {
    fc.assert(fc.property(fc.string(), (text) => [true, false, null].includes(isOlder(text, '1.0.0'))));
  });
});

describe('newestVersion', () => {
  it('is null without versions', () => {
    expect(newestVersion([])).toBeNull();
  });

  it('is the newest version that two registrable domains run', () => {
    const table = {
      '1.0.0-beta.9': ['a.org', 'b.org', 'c.org'],
      '1.0.0-beta.14': ['d.org', 'e.org'],
      '1.0.0-beta.13': ['f.org', 'g.org'],
    };
    expect(newestVersion(sightings(table))).toBe('1.0.0-beta.14');
  });

  it('ignores a version that only one registrable domain claims, on any number of hosts', () => {
    const liar = Array.from({ length: 500 }, () => 'liar.org');
    expect(newestVersion(sightings({ '99.0.0': liar, '1.0.0': ['a.org', 'b.org'] }))).toBe('1.0.0');
    expect(newestVersion(sightings({ '99.0.0': liar }))).toBeNull();
  });

  it('combines spellings of one version and returns the plain one', () => {
    expect(newestVersion(sightings({ 'v1.2.0': ['a.org'], '1.2.0+build.7': ['b.org'] }))).toBe('1.2.0');
  });

  it('ignores invalid versions', () => {
    expect(newestVersion(sightings({ latest: ['a.org', 'b.org'], '': ['a.org', 'b.org'] }))).toBeNull();
    expect(newestVersion(sightings({ latest: ['a.org', 'b.org'], '1.0.0': ['a.org', 'b.org'] }))).toBe('1.0.0');
  });

  it('does not depend on the order of entries, and no version under two domains is newer', () => {
    const entry = fc.record({ version: versions, registrableDomain: fc.constantFrom('a.org', 'b.org', 'c.org') });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 40 }), (entries) => {
        const newest = newestVersion(entries);
        expect(newestVersion([...entries].reverse())).toBe(newest);
        const backed = entries.filter(({ version, registrableDomain }) =>
          entries.some((other) => other.version === version && other.registrableDomain !== registrableDomain),
        );
        expect(newest === null).toBe(backed.length === 0);
        for (const { version } of backed) expect(newest !== null && isOlder(newest, version)).toBe(false);
      }),
    );
  });
});
