import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { jsonLine } from '../../directory/formatting.ts';
import { SCHEMA_VERSION } from '../../directory/schema/fields.ts';
import type { InstanceEntry } from '../../directory/schema/instance-entry.ts';
import type { InstanceCounts } from '../../directory/schema/instances-file.ts';
import { InstanceTally } from '../../directory/tallies.ts';
import type { IsHidden } from '../../model/opt-outs/opted-out-references.ts';

const COUNTS = '\n"counts":';
const INSTANCES = ',\n"instances":[';
/** The start of the line of an instance. */
const ENTRY = '\n{"domain":"';
const END = '\n]}\n';
/** 6, the default, takes twice the time and saves 12 %; a year of files may be rewritten at once. */
const LEVEL = 3;
/** The default, 16 KiB, would need a turn of the event loop for each of many chunks. */
const CHUNK_BYTES = 512 * 1024;

export interface DatedContent {
  readonly date: string;
  /** ISO 8601 in UTC. */
  readonly generatedAt: string;
  readonly counts: InstanceCounts;
  /** Each instance as one line of JSON. */
  readonly lines: Iterable<string | Buffer>;
}

/** The text of a dated file. */
export function datedText({ date, generatedAt, counts, lines }: DatedContent): string {
  const head = `{"schemaVersion":${SCHEMA_VERSION},\n"date":"${date}",\n"generatedAt":"${generatedAt}",`;
  const entries = Array.from(lines, (line) => `\n${line}`).join(',');
  return `${head}${COUNTS}${jsonLine(counts)}${INSTANCES}${entries}${END}`;
}

/** Equal input gives equal bytes. */
export async function compress(text: string | Uint8Array): Promise<Uint8Array> {
  const bytes = await promisify(gzip)(text, { level: LEVEL, chunkSize: CHUNK_BYTES });
  // The operating system (RFC 1952, section 2.3.1) is "unknown", so that all systems write the same header.
  bytes[9] = 255;
  return bytes;
}

/** The text of a dated file as bytes; null when the file is damaged. */
export async function uncompress(bytes: Uint8Array): Promise<Buffer | null> {
  try {
    const text = await promisify(gunzip)(bytes, { chunkSize: CHUNK_BYTES });
    const isWhole =
      text.includes(COUNTS) && text.includes(INSTANCES) && text.subarray(-END.length).equals(Buffer.from(END));
    return isWhole ? text : null;
  } catch {
    return null;
  }
}

interface Place {
  readonly domain: string;
  /** The offset of the line feed before its line. */
  readonly start: number;
}

/** The domains in a text, without parsing it: for one opt-out, a year of files is read. */
export function placesIn(text: Buffer): Place[] {
  const places: Place[] = [];
  for (let start = text.indexOf(ENTRY); start !== -1; start = text.indexOf(ENTRY, start + 1)) {
    const from = start + ENTRY.length;
    places.push({ domain: text.toString('latin1', from, text.indexOf('"', from)), start });
  }
  return places;
}

/** A text without the instances whose domain `isHidden`. */
export function without(text: Buffer, places: readonly Place[], isHidden: IsHidden): Buffer {
  const countsAt = text.indexOf(COUNTS);
  const instancesAt = text.indexOf(INSTANCES);
  const tally = new InstanceTally(JSON.parse(text.toString('utf8', countsAt + COUNTS.length, instancesAt)));
  const kept: Uint8Array[] = [];
  for (const [index, { domain, start }] of places.entries()) {
    const next = places[index + 1]?.start;
    // A comma follows each line but the last.
    const line = text.subarray(start, next === undefined ? text.length - END.length : next - 1);
    if (isHidden(domain)) tally.add(JSON.parse(line.toString()) as InstanceEntry, -1);
    else if (kept.length === 0) kept.push(line);
    else kept.push(COMMA, line);
  }
  const head = `${text.toString('utf8', 0, countsAt)}${COUNTS}${jsonLine(tally.counts)}${INSTANCES}`;
  return Buffer.concat([Buffer.from(head), ...kept, Buffer.from(END)]);
}

const COMMA = Buffer.from(',');
