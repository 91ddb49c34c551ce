import { describe, expect, it } from 'vitest';
import { deepMerge } from '../../src/reference/deep-merge.ts';

describe('deepMerge', () => {
  it('changes values at any depth of a copy, and leaves the base unchanged', () => {
    const base = { one: { two: { three: 3, four: 4 } }, list: [1, 2] };
    const changed = deepMerge(base, { one: { two: { three: 0 } }, list: [9] });
    expect(changed).toEqual({ one: { two: { three: 0, four: 4 } }, list: [9] });
    expect(base).toEqual({ one: { two: { three: 3, four: 4 } }, list: [1, 2] });
  });

  it('treats undefined as no change, and null as a value', () => {
    expect(deepMerge({ a: 1, b: 2 as number | null }, { a: undefined, b: null })).toEqual({ a: 1, b: null });
  });
});
