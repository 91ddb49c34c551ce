import { describe, expect, it } from 'vitest';
import { parseDiscovery } from '../../src/identify/documents.ts';
import { fixture, fixtureNames } from './fixture.ts';

const href = 'https://server.example/nodeinfo/2.0';

/** The result for each fixture: null if no link is for 2.0, `href: null` if no such link has an href. */
const expected: Record<string, ReturnType<typeof parseDiscovery>> = {
  'links-as-list': { href },
  'links-as-object': { href },
  'links-keyed': { href },
  'links-keyed-by-version': { href },
  'links-several-2.0': { href },
  'links-2.0-without-href-first': { href },
  'links-rel-https': { href },
  'links-rel-of-another-site': { href },
  'links-2.1-first': { href },
  'links-among-rubbish': { href },
  'links-torn': { href: null },
  'links-href-as-list': { href: null },
  'links-empty': null,
  'links-missing': null,
  'links-null': null,
  'links-as-string': null,
  'links-capitalised': null,
  'links-rel-with-slash': null,
  'links-rel-as-number': null,
  'links-only-2.1': null,
  'links-only-1.0': null,
};

describe('parseDiscovery', () => {
  it.each(fixtureNames('links-'))('returns the expected href for %s', (name) => {
    expect(Object.keys(expected)).toContain(name);
    expect(parseDiscovery(fixture(name))).toEqual(expected[name]);
  });

  it('returns null for a NodeInfo document at the well-known path', () => {
    expect(parseDiscovery(fixture('nodeinfo-at-well-known'))).toBeNull();
  });

  it.each([
    'https://server.example//nodeinfo//2.0',
    'https://server.example/n%2fi?x=1&x=2#top',
    ' https://server.example/ ',
    'HTTPS://SERVER.EXAMPLE/',
    '/nodeinfo/2.0',
    '',
  ])('returns the href %j unchanged', (unusual) => {
    expect(parseDiscovery({ links: [{ rel: 'x/schema/2.0', href: unusual }] })).toEqual({ href: unusual });
  });
});
