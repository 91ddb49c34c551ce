import type { Domain } from '../domain/domain.ts';

/** The domains met in one reading: 16 bytes each at most, where a Set of a million names takes over 100 MB. */
export interface SeenDomains {
  /** Whether it is met for the first time. Two names are taken for one once in some 10^7 lists of a million. */
  add(domain: Domain): boolean;
}

const FIRST_SIZE = 1_024;

/** A table of 64-bit hashes, open-addressed, at most half full. */
export function createSeenDomains(): SeenDomains {
  let size = FIRST_SIZE;
  let table = new Uint32Array(size * 2);
  let count = 0;

  /** False when it is there already. */
  function put(high: number, low: number): boolean {
    for (let place = low & (size - 1); ; place = (place + 1) & (size - 1)) {
      const [oneHigh, oneLow] = [table[place * 2], table[place * 2 + 1]];
      if (oneHigh === high && oneLow === low) return false;
      if (oneHigh !== 0 || oneLow !== 0) continue;
      table[place * 2] = high;
      table[place * 2 + 1] = low;
      return true;
    }
  }

  function grow(): void {
    const before = table;
    size *= 2;
    table = new Uint32Array(size * 2);
    for (let place = 0; place < before.length; place += 2) {
      const [high = 0, low = 0] = [before[place], before[place + 1]];
      if (high !== 0 || low !== 0) put(high, low);
    }
  }

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
      const isNew = put(mixed(high), mixed(low) || 1);
      if (isNew) count += 1;
      if (count * 2 > size) grow();
      return isNew;
    },
  };
}

/** The last step of MurmurHash3. */
function mixed(hash: number): number {
  let mix = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
  return (mix ^ (mix >>> 16)) >>> 0;
}
