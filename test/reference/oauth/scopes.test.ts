import { describe, expect, it } from 'vitest';
import { areScopesAllowed, parseScopes } from '../../../src/reference/oauth/scopes.ts';

describe('parseScopes', () => {
  it('accepts read, write and follow, removes duplicates and keeps the order', () => {
    expect(parseScopes('follow read write read')).toEqual(['follow', 'read', 'write']);
  });

  it('defaults to read', () => {
    expect([parseScopes(undefined), parseScopes('')]).toEqual([['read'], ['read']]);
  });

  it.each([
    ' ',
    'read ',
    ' read',
    'read  write',
    'read,write',
    'read\twrite',
    'READ',
    'admin',
    'read:accounts',
    'read\0',
  ])('refuses %j', (text) => {
    expect(parseScopes(text)).toBeUndefined();
  });
});

describe('areScopesAllowed', () => {
  it('requires every scope to be allowed', () => {
    expect(areScopesAllowed(['read'], ['write', 'read'])).toBe(true);
    expect(areScopesAllowed([], [])).toBe(true);
    expect(areScopesAllowed(['read', 'write'], ['read'])).toBe(false);
  });
});
