import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Grant } from '../../../src/reference/data/codes.ts';
import type { ReferenceData } from '../../../src/reference/data/open-data.ts';
import { createState, type ReferenceState } from '../../../src/reference/state.ts';

let state: ReferenceState;
let data: ReferenceData;
let grant: Grant;
beforeEach(() => {
  state = createState('http://127.0.0.1', { limits: { codes: 3 } });
  data = state.data;
  const app = { name: 'App', website: '', redirectUris: ['https://a.example/'], scopes: ['read'] };
  grant = {
    appId: data.apps.register(app, 0).app.id,
    accountId: data.accounts.all()[0]?.id ?? '',
    redirectUri: 'https://a.example/',
    scopes: ['read', 'write'],
    challenge: null,
  };
});
afterEach(() => {
  state[Symbol.dispose]();
});

describe('codes', () => {
  it('finds a code with its grant', () => {
    const code = data.codes.issue({ ...grant, challenge: 'c'.repeat(43) }, 600);
    // 256 bits in base64url.
    expect(code).toMatch(/^[\w-]{43}$/);
    const stored = data.codes.find(code);
    expect(stored).toMatchObject({ ...grant, challenge: 'c'.repeat(43), expiresAt: 600, redeemedAt: null });
    expect(data.codes.find(`${code}x`)).toBeUndefined();
  });

  it('redeems a code only once, and stores the time', () => {
    const code = data.codes.issue(grant, 600);
    const stored = data.codes.find(code);
    if (stored === undefined) throw new Error('The code was not stored.');
    expect([data.codes.redeem(stored, 7), data.codes.redeem(stored, 8)]).toEqual([true, false]);
    expect(data.codes.find(code)?.redeemedAt).toBe(7);
  });

  it('evicts the oldest code at the limit, even if the clock goes back', () => {
    const codes = [50, 40, 30, 20, 10].map((expiresAt) => data.codes.issue(grant, expiresAt));
    expect(codes.map((code) => data.codes.find(code)?.expiresAt)).toEqual([undefined, undefined, 30, 20, 10]);
    expect(data.codes.count()).toBe(3);
  });
});
