import { describe, expect, it } from 'vitest';
import { createState } from '../../../src/reference/state.ts';

describe('sessions', () => {
  it('return the signed-in account until they end or expire', () => {
    using state = createState('http://127.0.0.1');
    const { sessions, accounts } = state.data;
    const id = accounts.all()[0]?.id ?? '';
    const key = sessions.start(id, 100);
    const endedKey = sessions.start(id, 200);
    expect([0, 99, 100].map((now) => sessions.accountIdOf(key, now))).toEqual([id, id, undefined]);
    sessions.end(endedKey);
    expect(sessions.accountIdOf(endedKey, 0)).toBeUndefined();
    expect(sessions.accountIdOf('unknown', 0)).toBeUndefined();
  });

  it('evict the oldest session at the limit', () => {
    using state = createState('http://127.0.0.1', { limits: { sessions: 2 } });
    const { sessions, accounts } = state.data;
    const id = accounts.all()[0]?.id ?? '';
    const keys = [1, 2, 3].map(() => sessions.start(id, 100));
    expect(keys.map((key) => sessions.accountIdOf(key, 0))).toEqual([undefined, id, id]);
    expect(sessions.count()).toBe(2);
  });
});
