import { describe, expect, it } from 'vitest';
import { readScopes } from '../../../src/reference/oauth/scopes.ts';

describe('readScopes', () => {
  it('accepts read, write and follow, removes duplicates and keeps the order', () => {
    expect(readScopes('follow read write read', 'spec')).toEqual({ scopes: ['follow', 'read', 'write'] });
  });

  it('defaults to read', () => {
    expect([readScopes(undefined, 'spec'), readScopes('', 'spec')]).toEqual([
      { scopes: ['read'] },
      { scopes: ['read'] },
    ]);
  });

  it.each([' ', 'read ', ' read', 'read  write'])('refuses separators other than single spaces: %j', (text) => {
    expect(readScopes(text, 'spec')).toEqual({ problem: 'The scopes must have single spaces between them.' });
  });

  it.each(['READ', 'admin', 'read:accounts', 'write:media'])('names the unknown scope %j', (text) => {
    expect(readScopes(`read ${text}`, 'spec')).toEqual({
      problem: `The scope ${text} is unknown; the scopes are read, write and follow.`,
    });
  });

  // None of these consists of 1 to 40 letters, digits and characters of `_.:/-`.
  it.each(['read,write', 'read\twrite', 'read\0', '<b>', '"', 'a'.repeat(41)])(
    'does not repeat the unknown scope %j in the problem',
    (text) => {
      expect(readScopes(text, 'spec')).toEqual({
        problem: 'One of the scopes is unknown; the scopes are read, write and follow.',
      });
    },
  );

  it('names the first scope that is not allowed', () => {
    const allowed = { scopes: ['read', 'write'], limitedBy: 'what the user approved' };
    expect(readScopes('write read', 'spec', allowed)).toEqual({ scopes: ['write', 'read'] });
    expect(readScopes('read follow', 'spec', allowed)).toEqual({
      problem: 'The scope follow is beyond what the user approved.',
    });
  });

  it('knows the scopes of live servers in the profile live, has no default there, and ignores those of the app', () => {
    const allowed = { scopes: [], limitedBy: 'what the app is registered for' };
    expect(readScopes('user:read video:read', 'live', allowed)).toEqual({ scopes: ['user:read', 'video:read'] });
    expect(readScopes('', 'live')).toEqual({ scopes: [] });
    expect(readScopes('read', 'live')).toEqual({
      problem: 'The scope read is unknown; the scopes are user:read, user:write, video:create and video:read.',
    });
  });
});
