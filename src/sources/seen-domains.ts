import type { Domain } from '../model/domain/domain.ts';

/** The set of domains in one run: at most 16 bytes each, whereas a Set of a million names takes over 100 MB. */
export interface SeenDomains {
  /** Whether the domain is new. In about one of 10^7 lists of a million names, two names collide and count as one. */
  add(domain: Domain): boolean;
}

/** Tables grow one by one; a single table would need twice its memory while growing. */
const TABLES = 64;
const FIRST_SIZE = 16;

/** Tables of 64-bit hashes, open-addressed, at most three quarters full and, once grown, at least half. */
export function createSeenDomains(): SeenDomains {
  /** Two numbers per slot; two zeros in an empty slot. */
  const tables = Array.from({ length: TABLES }, () => new Uint32Array(FIRST_SIZE * 2));
  const counts = new Uint32Array(TABLES);
  return {
    add(domain) {
      // Two independent hashes (FNV-1a and a variant of it), each then mixed.
      let high = 0x811c9dc5;
      let low = 0x2f5d90a1;
      for (let position = 0; position < domain.length; position += 1) {
        const code = domain.charCodeAt(position);
        high = Math.imul(high ^ code, 0x01000193);
        low = Math.imul(low ^ code, 0x5bd1e995) ^ (low >>> 15);
      }
      high = mix(high);
      // Never 0, because two zeros mark an empty slot.
      low = mix(low) || 1;
      const index = high % TABLES;
      const table = tables[index] as Uint32Array<ArrayBuffer>;
      if (!insert(table, high, low)) return false;
      const count = (counts[index] ?? 0) + 1;
      counts[index] = count;
      if (count * 8 > table.length * 3) tables[index] = grow(table);
      return true;
    },
  };
}

/** False when already present. */
function insert(table: Uint32Array, high: number, low: number): boolean {
  const size = table.length / 2;
  for (let slot = low % size; ; slot = slot + 1 === size ? 0 : slot + 1) {
    const slotHigh = table[slot * 2];
    const slotLow = table[slot * 2 + 1];
    if (slotHigh === high && slotLow === low) return false;
    if (slotHigh !== 0 || slotLow !== 0) continue;
    table[slot * 2] = high;
    table[slot * 2 + 1] = low;
    return true;
  }
}

/** A copy of the table, one and a half times as large. Frees the memory of the old table at once, without waiting for garbage collection. */
function grow(before: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const table = new Uint32Array(before.length + Math.ceil(before.length / 4) * 2);
  for (let slot = 0; slot < before.length; slot += 2) {
    const [high = 0, low = 0] = [before[slot], before[slot + 1]];
    if (high !== 0 || low !== 0) insert(table, high, low);
  }
  before.buffer.transfer(0);
  return table;
}

/** The last step of MurmurHash3. */
function mix(hash: number): number {
  let value = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
