import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReferenceData } from '../../../src/reference/data/open-data.ts';
import type { NewToken } from '../../../src/reference/data/tokens.ts';
import { createState, type ReferenceState } from '../../../src/reference/state.ts';

let state: ReferenceState;
let data: ReferenceData;
let token: NewToken;
beforeEach(() => {
  state = createState('http://127.0.0.1', { limits: { tokens: 4 } });
  data = state.data;
  const app = { name: 'App', website: '', redirectUris: ['https://a.example/'], scopes: ['read'] };
  token = {
    appId: data.apps.register(app, 0).app.id,
    accountId: data.accounts.all()[0]?.id ?? '',
    scopes: ['read', 'follow'],
    codeHash: Buffer.alloc(32, 1),
    isPublic: true,
    createdAt: 5,
    expiresAt: null,
  };
});
afterEach(() => {
  state[Symbol.dispose]();
});

describe('tokens', () => {
  it('gives back what a token stands for', () => {
    const text = data.tokens.issue(token);
    expect(text).toMatch(/^[\w-]{43}$/);
    expect(data.tokens.find(text, 1)).toMatchObject(token);
    expect(data.tokens.find('unknown', 1)).toBeUndefined();
  });

  it('holds until the moment it expires, and for ever when it has none', () => {
    const text = data.tokens.issue({ ...token, expiresAt: 100 });
    expect([99, 100].map((now) => data.tokens.find(text, now)?.expiresAt)).toEqual([100, undefined]);
    expect(data.tokens.find(data.tokens.issue(token), Number.MAX_SAFE_INTEGER)?.expiresAt).toBeNull();
  });

  it('revokes one, or all that a code gave, and no other', () => {
    const other = { ...token, codeHash: Buffer.alloc(32, 2) };
    const texts = [token, token, other, { ...token, codeHash: null }].map((each) => data.tokens.issue(each));
    expect(data.tokens.revokeGivenFor(Buffer.alloc(32, 1))).toBe(2);
    expect(texts.map((text) => data.tokens.find(text, 1) !== undefined)).toEqual([false, false, true, true]);
    const kept = data.tokens.find(texts[2] ?? '', 1);
    if (kept !== undefined) data.tokens.revoke(kept);
    expect(texts.map((text) => data.tokens.find(text, 1) !== undefined)).toEqual([false, false, false, true]);
    expect(data.tokens.count()).toBe(1);
  });

  it('drops the oldest at the limit, even when all are of one moment', () => {
    const texts = Array.from({ length: 6 }, () => data.tokens.issue(token));
    expect(texts.map((text) => data.tokens.find(text, 1) !== undefined)).toEqual([
      false,
      false,
      true,
      true,
      true,
      true,
    ]);
    expect(data.tokens.count()).toBe(4);
  });
});
