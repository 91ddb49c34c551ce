import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/reference/random.ts';
import { snowflake, snowflakeEpochMs, snowflakeTimeMs } from '../../../src/reference/seed/identifiers.ts';

describe('snowflake', () => {
  it('contains the milliseconds since the epoch of Loops, two numbers from 1 to 31, and the sequence', () => {
    const atMs = Date.UTC(2026, 0, 1);
    const random = createRandom(5);
    for (let sequence = 0; sequence < 500; sequence += 1) {
      const bits = BigInt(snowflake(atMs, random, sequence));
      // 41 bits of time, then 5, 5 and 12 bits; the epoch of Loops is 28 March 2024.
      expect(bits >> 22n).toBe(BigInt(atMs - 1_711_624_913_000));
      for (const part of [(bits >> 17n) & 31n, (bits >> 12n) & 31n]) expect(Number(part)).toBeGreaterThan(0);
      expect(bits & 4095n).toBe(BigInt(sequence));
    }
  });

  it('is a decimal string too large for a JavaScript number to hold exactly', () => {
    const id = snowflake(Date.UTC(2025, 6, 1), createRandom(1), 1);
    expect(id).toMatch(/^[1-9]\d{17}$/);
    expect(String(Number(id))).not.toBe(id);
  });

  it('contains its creation time', () => {
    for (const atMs of [snowflakeEpochMs, Date.UTC(2025, 1, 3, 4, 5, 6, 789)]) {
      expect(snowflakeTimeMs(snowflake(atMs, createRandom(2)))).toBe(atMs);
    }
  });

  it('restarts the sequence after 4095', () => {
    const atMs = Date.UTC(2025, 1, 3);
    expect(snowflake(atMs, createRandom(3), 4096)).toBe(snowflake(atMs, createRandom(3), 0));
  });
});
