import { describe, expect, it } from 'vitest';
import { areScopesAllowed, parseScopes } from '../../../src/reference/oauth/scopes.ts';

describe('parseScopes', () => {
  it('knows read, write and follow, each once and in the order given', () => {
    expect(parseScopes('follow read write read')).toEqual(['follow', 'read', 'write']);
  });

  it('means read where none is named', () => {
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
  it('asks that every scope is among those allowed', () => {
    expect(areScopesAllowed(['read'], ['write', 'read'])).toBe(true);
    expect(areScopesAllowed([], [])).toBe(true);
    expect(areScopesAllowed(['read', 'write'], ['read'])).toBe(false);
  });
});
