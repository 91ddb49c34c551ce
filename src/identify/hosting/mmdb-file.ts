import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Reader } from 'mmdb-lib';

/** A record of a database: its publisher decides on the fields. */
export type MmdbRecord = Readonly<Record<string, unknown>>;

/** A database of addresses in the MaxMind DB format, in memory. */
export type MmdbFile = ReturnType<typeof readMmdb>;

/** What is wrong with a database, as the end of a sentence that begins with its path. */
export class MmdbError extends Error {
  override readonly name = 'MmdbError';
}

/** Changes when the file is replaced. @throws {MmdbError} */
export function versionOf(path: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch (error) {
    throw new MmdbError(problemOf(error));
  }
}

/** @throws {MmdbError} when the file is missing, unreadable or damaged. */
export function readMmdb(path: string) {
  const version = versionOf(path);
  let reader: Reader<never>;
  try {
    reader = new Reader(readFileSync(path));
  } catch (error) {
    throw new MmdbError(problemOf(error));
  }
  const { ipVersion, databaseType } = reader.metadata;
  const isCovered = (address: string) => ipVersion === 6 || isIP(address) === 4;
  return {
    version,
    /** Its type, as its publisher names it: `GeoLite2-ASN`. */
    type: databaseType,
    /** The record of an address; null when it has none. Throws when the file is damaged there. */
    find: (address: string): MmdbRecord | null => (isCovered(address) ? reader.get(address) : null),
    /** The first records, in the order of addresses. Throws when the file is damaged there. */
    first(): MmdbRecord[] {
      const starts = ['0.0.0.0', ...(ipVersion === 6 ? ['2000::'] : [])];
      return starts.flatMap((start) => [...recordsFrom(reader, start)]);
    },
  };
}

/** Blocks that are read to learn what a database holds. */
const MAX_BLOCKS = 1_000;

/** The first records from an address on: the size of each block tells where the next one begins. */
function* recordsFrom(reader: Reader<never>, start: string): Iterable<MmdbRecord> {
  const bytes = ipaddr.parse(start).toByteArray();
  const bits = bytes.length * 8;
  let address = bytes.reduce((value, byte) => value * 256n + BigInt(byte), 0n);
  for (let count = 0; count < MAX_BLOCKS && address < 1n << BigInt(bits); count++) {
    const hex = address.toString(16).padStart(bits / 4, '0');
    const [record, prefix] = reader.getWithPrefixLength(ipaddr.fromByteArray([...Buffer.from(hex, 'hex')]).toString());
    if (record !== null) yield record;
    const size = 1n << BigInt(bits - prefix);
    address = (address / size + 1n) * size;
  }
}

function problemOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code === 'ENOENT') return 'is missing';
  return /^E[A-Z]+$/.test(code) ? `is unreadable (${code})` : 'is no MaxMind DB file, or is damaged';
}
