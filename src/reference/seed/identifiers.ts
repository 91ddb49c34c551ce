import { type Random, randomInteger } from '../random.ts';

/** The epoch of Loops ids: 28 March 2024, in milliseconds since the Unix epoch. */
export const snowflakeEpochMs = 1_711_624_913_000;

/**
 * An id as on live servers: milliseconds since `snowflakeEpochMs`, a random worker and a random datacenter of 1 to
 * 31, and a sequence of 0 to 4095, in 41, 5, 5 and 12 bits, as a decimal string.
 */
export function snowflake(atMs: number, random: Random, sequence = 0): string {
  const worker = randomInteger(random, 1, 31);
  const datacenter = randomInteger(random, 1, 31);
  const id =
    (BigInt(atMs - snowflakeEpochMs) << 22n) |
    (BigInt(worker) << 17n) |
    (BigInt(datacenter) << 12n) |
    BigInt(sequence % 4096);
  return id.toString();
}

/** The creation time in an id, milliseconds since the Unix epoch. */
export function snowflakeTimeMs(id: string): number {
  return Number(BigInt(id) >> 22n) + snowflakeEpochMs;
}

/** An ISO 8601 time in whole seconds with its offset, as live servers write it: `2025-03-04T12:00:00+00:00`. */
export function timestamp(atMs: number): string {
  return new Date(atMs).toISOString().replace(/\.\d+Z$/, '+00:00');
}

const digits = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_';

/** The shortcode of a video: its id in base 64, as on live servers. An id that is no snowflake is percent-encoded. */
export function shortcode(id: string): string {
  if (!/^\d{1,19}$/.test(id)) return encodeURIComponent(id);
  let code = '';
  for (let rest = BigInt(id); code === '' || rest > 0n; rest /= 64n) code = digits.charAt(Number(rest % 64n)) + code;
  return code;
}
