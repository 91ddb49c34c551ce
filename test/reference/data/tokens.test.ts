import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReferenceData } from '../../../src/reference/data/open-data.ts';
import type { NewToken } from '../../../src/reference/data/tokens.ts';
import { createState, type ReferenceState } from '../../../src/reference/state.ts';

const tokenLimit = 4;

let state: ReferenceState;
let data: ReferenceData;
let token: NewToken;
beforeEach(() => {
  state = createState('http://127.0.0.1', { limits: { tokens: tokenLimit } });
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

const isStored = (text: string) => data.tokens.find(text, 1) !== undefined;

describe('tokens', () => {
  it('finds a token with its data', () => {
    const text = data.tokens.issue(token);
    // 256 bits in base64url.
    expect(text).toMatch(/^[\w-]{43}$/);
    expect(data.tokens.find(text, 1)).toMatchObject(token);
    expect(data.tokens.find('unknown', 1)).toBeUndefined();
  });

  it('finds a token until it expires, or forever if it has no expiry', () => {
    const text = data.tokens.issue({ ...token, expiresAt: 100 });
    expect([99, 100].map((now) => data.tokens.find(text, now)?.expiresAt)).toEqual([100, undefined]);
    expect(data.tokens.find(data.tokens.issue(token), Number.MAX_SAFE_INTEGER)?.expiresAt).toBeNull();
  });

  it('revokes one token, or all tokens issued for a code, and no other token', () => {
    const otherCodeToken = { ...token, codeHash: Buffer.alloc(32, 2) };
    const texts = [token, token, otherCodeToken, { ...token, codeHash: null }].map((each) => data.tokens.issue(each));
    expect(data.tokens.revokeIssuedFor(Buffer.alloc(32, 1))).toBe(2);
    expect(texts.map(isStored)).toEqual([false, false, true, true]);
    const stored = data.tokens.find(texts[2] ?? '', 1);
    if (stored !== undefined) data.tokens.revoke(stored);
    expect(texts.map(isStored)).toEqual([false, false, false, true]);
    expect(data.tokens.count()).toBe(1);
  });

  it('evicts no token of another app that has fewer tokens', () => {
    const app = { name: 'Other', website: '', redirectUris: ['https://b.example/'], scopes: ['read'] };
    const otherAppToken = { ...token, appId: data.apps.register(app, 0).app.id };
    const texts = [otherAppToken, token, token, token, token, token].map((each) => data.tokens.issue(each));
    expect(texts.map(isStored)).toEqual([true, false, false, true, true, true]);
    // The first of these evicts a token of the app with more tokens. Then each app has two, and a new token evicts the
    // oldest of its own app.
    const more = [otherAppToken, otherAppToken].map((each) => data.tokens.issue(each));
    expect([...texts, ...more].map(isStored)).toEqual([false, false, false, false, true, true, true, true]);
    const next = data.tokens.issue(token);
    expect([...texts.slice(4), ...more, next].map(isStored)).toEqual([false, true, true, true, true]);
    const last = data.tokens.issue(otherAppToken);
    expect([texts[5] ?? '', ...more, next, last].map(isStored)).toEqual([true, false, true, true, true]);
    expect(data.tokens.count()).toBe(tokenLimit);
  });

  it('counts the tokens of an app correctly after revocations', () => {
    const app = { name: 'Other', website: '', redirectUris: ['https://b.example/'], scopes: ['read'] };
    const otherAppToken = { ...token, appId: data.apps.register(app, 0).app.id };
    const [first = '', second = ''] = [token, token, token].map((each) => data.tokens.issue(each));
    for (const text of [first, second]) {
      const stored = data.tokens.find(text, 1);
      if (stored !== undefined) data.tokens.revoke(stored);
    }
    // Now the first app has one token left, so at the limit the other app loses one.
    const texts = [otherAppToken, otherAppToken, otherAppToken, token].map((each) => data.tokens.issue(each));
    expect(texts.map(isStored)).toEqual([false, true, true, true]);
  });

  it('evicts the oldest token at the limit, even if all have the same time', () => {
    const texts = Array.from({ length: 6 }, () => data.tokens.issue(token));
    expect(texts.map(isStored)).toEqual([false, false, true, true, true, true]);
    expect(data.tokens.count()).toBe(tokenLimit);
  });
});
