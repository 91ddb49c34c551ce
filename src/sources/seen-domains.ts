import type { Domain } from '../model/domain/domain.ts';

/** The domains met in one reading: 16 bytes each at most, where a Set of a million names takes over 100 MB. */
export interface SeenDomains {
  /** Whether it is met for the first time. Two names are taken for one once in some 10^7 lists of a million. */
  add(domain: Domain): boolean;
}

/** Each grows apart: one table for all would stand in memory twice while it grows. */
const TABLES = 64;
const FIRST_SIZE = 16;

/** Tables of 64-bit hashes, open-addressed, at most three quarters full and, once grown, at least half. */
export function createSeenDomains(): SeenDomains {
  /** Two numbers a place; two zeros where it is empty. */
  const tables = Array.from({ length: TABLES }, () => new Uint32Array(FIRST_SIZE * 2));
  const counts = new Uint32Array(TABLES);
  return {
    add(domain) {
      // FNV-1a from two starts that have nothing to do with each other, each then mixed.
      let high = 0x811c9dc5;
      let low = 0x2f5d90a1;
      for (let index = 0; index < domain.length; index += 1) {
        const code = domain.charCodeAt(index);
        high = Math.imul(high ^ code, 0x01000193);
        low = Math.imul(low ^ code, 0x5bd1e995) ^ (low >>> 15);
      }
      high = mixed(high);
      low = mixed(low) || 1;
      const which = high % TABLES;
      const table = tables[which] as Uint32Array<ArrayBuffer>;
      if (!put(table, high, low)) return false;
      const count = (counts[which] ?? 0) + 1;
      counts[which] = count;
      if (count * 8 > table.length * 3) tables[which] = grown(table);
      return true;
    },
  };
}

/** False when it is there already. */
function put(table: Uint32Array, high: number, low: number): boolean {
  const size = table.length / 2;
  for (let place = low % size; ; place = place + 1 === size ? 0 : place + 1) {
    const oneHigh = table[place * 2];
    const oneLow = table[place * 2 + 1];
    if (oneHigh === high && oneLow === low) return false;
    if (oneHigh !== 0 || oneLow !== 0) continue;
    table[place * 2] = high;
    table[place * 2 + 1] = low;
    return true;
  }
}

/** The same in half as many places more. The old table's memory is given back at once, not when it is next collected. */
function grown(before: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const table = new Uint32Array(before.length + Math.ceil(before.length / 4) * 2);
  for (let place = 0; place < before.length; place += 2) {
    const [high = 0, low = 0] = [before[place], before[place + 1]];
    if (high !== 0 || low !== 0) put(table, high, low);
  }
  before.buffer.transfer(0);
  return table;
}

/** The last step of MurmurHash3. */
function mixed(hash: number): number {
  let mix = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
  return (mix ^ (mix >>> 16)) >>> 0;
}
